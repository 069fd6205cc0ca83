import { Logger, type LoggerService } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { PetNotFound } from '../../../../../src/pets/domain/pet-errors.js';
import { DatabaseUnavailable } from '../../../../../src/platform/database/database-errors.js';
import { ErrorFilter } from '../../../../../src/platform/http/errors/error.filter.js';
import { ApiException } from '../../../../../src/platform/http/errors/api-exception.js';

let diary: [level: string, entry: unknown][];

beforeEach(() => {
  diary = [];
  const note = (level: string) => (entry: unknown) => void diary.push([level, entry]);
  const log: LoggerService = { log: note('log'), warn: note('warn'), error: note('error') };
  Logger.overrideLogger(log);
});

function answer(error: unknown): void {
  const request = new IncomingMessage(new Socket());
  new ErrorFilter().catch(error, new ExecutionContextHost([request, new ServerResponse(request)]));
}

describe('what the operator reads of an error', () => {
  it('is everything when it is a fault of ours', () => {
    const fault = new TypeError('pet.bark is not a function');
    answer(fault);
    expect(diary).toEqual([['error', fault]]);
  });

  it('is one line with the reason when the database is out of reach', () => {
    answer(new DatabaseUnavailable(new Error('connect ECONNREFUSED 127.0.0.1:3306')));
    expect(diary).toEqual([['warn', 'database_unavailable: connect ECONNREFUSED 127.0.0.1:3306']]);
  });

  it.each([new PetNotFound(), new ApiException('invalid_json', 'No JSON.')])(
    'is nothing when it is the client who erred: %s',
    (error) => {
      answer(error);
      expect(diary).toEqual([]);
    },
  );
});
