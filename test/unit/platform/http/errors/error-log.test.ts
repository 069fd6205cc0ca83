import { HttpException, Logger, type LoggerService, NotImplementedException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { PetNotFound } from '../../../../../src/pets/domain/pet-errors.js';
import { DatabaseUnavailable } from '../../../../../src/platform/database/index.js';
import { StatementFailed } from '../../../../support/rooms/database.js';
import { ErrorFilter, type RoutesAdapter } from '../../../../support/rooms/http.js';
import { ApiException } from '../../../../../src/platform/http/index.js';
import { catalogueOf } from '../../../../support/error-catalogue.js';

let diary: [level: string, entry: unknown][];

let filter: ErrorFilter;

beforeEach(async () => {
  diary = [];
  filter = new ErrorFilter(await catalogueOf(), new HttpAdapterHost<RoutesAdapter>());
  const note = (level: string) => (entry: unknown) => void diary.push([level, entry]);
  const log: LoggerService = { log: note('log'), warn: note('warn'), error: note('error') };
  Logger.overrideLogger(log);
});

function answer(error: unknown): void {
  const request = Object.assign(new IncomingMessage(new Socket()), { app: express() });
  filter.catch(error, new ExecutionContextHost([request, new ServerResponse(request)]));
}

describe('the log of an error', () => {
  it('contains a fault of the service with its stack, and a repeated fault as a line with its number', () => {
    const bark = (name: unknown) => new TypeError(`${String(name)}.bark is not a function`);
    const pets = (places: string) =>
      new StatementFailed(
        'ER_BAD_FIELD_ERROR',
        `SELECT id, name, category_id, status FROM pets WHERE id IN (${places})`,
      );
    const faultsOf = [bark('Rex'), bark('Fifi\n    at kennel'), pets('?'), pets('?, ?'), 'no error'];
    faultsOf.forEach(answer);
    const statement = 'ER_BAD_FIELD_ERROR from SELECT id, name, category_id, status FROM pets WHERE id IN (';
    const place = expect.stringMatching(
      /^internal_error: TypeError at bark \(.*\), 2 times in 10 s$/,
    ) as string;
    expect(diary).toEqual([
      ['error', faultsOf[0]],
      ['error', place],
      ['error', faultsOf[2]],
      ['error', expect.stringContaining(`internal_error: ${statement.slice(0, -1)}`) as string],
      ['error', 'no error'],
    ]);
  });

  it('contains what was thrown, even if it is not an error', () => {
    [undefined, null, { a: 1 }, 5].forEach(answer);
    // The properties of an object may be secret.
    const texts = ['undefined', 'null', 'Object: no error was thrown, but this', '5'];
    expect(diary).toEqual(texts.map((text) => ['error', text]));
  });

  it('contains one line with the reason when the database cannot be reached', () => {
    answer(new DatabaseUnavailable(new Error('connect ECONNREFUSED 127.0.0.1:3306')));
    expect(diary).toEqual([['warn', 'database_unavailable: connect ECONNREFUSED 127.0.0.1:3306']]);
  });

  it.each([
    [new NotImplementedException('later'), '501', 'not_implemented'],
    [new HttpException('locked', 423), '423', 'locked'],
    [
      Object.assign(new Error('x'), { expose: true, status: 402, statusCode: 402 }),
      '402',
      'payment_required',
    ],
  ])('says how to return a status without an error code: %s', (error, status, code) => {
    answer(error);
    expect(diary).toEqual([
      [
        'error',
        `${status} has no error code, so it is answered with 500: put ` +
          `@ApiErrors({ status: ${status}, code: '${code}', meaning, remedy }) on the operation`,
      ],
    ]);
  });

  it.each([new PetNotFound(), new ApiException('invalid_json', 'No JSON.')])(
    'is empty for an error of the client: %s',
    (error) => {
      answer(error);
      expect(diary).toEqual([]);
    },
  );
});
