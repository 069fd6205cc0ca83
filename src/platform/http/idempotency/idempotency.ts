import { createHash } from 'node:crypto';
import { Injectable, type RawBodyRequest } from '@nestjs/common';
import type { Request, Response } from 'express';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { DatabaseUnavailable } from '../../database/database-errors.js';
import { writeJson } from '../../json/write-json.js';
import { callerId } from '../caller-id.js';
import { ApiException } from '../errors/api-exception.js';
import { JsonText } from '../server/send-json.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import {
  AlreadyCompleted,
  type IdempotentRequest,
  type StoredResponse,
  IdempotencyStore,
} from './idempotency-store.js';

const MAX_ATTEMPTS = 3;
/** The headers of an answer that are kept with it. */
const KEPT_HEADERS = ['Location', 'Link'];

/**
 * Answers a request that is sent again with the answer it had the first time. Effect and answer are one unit of work: there
 * is never the one without the other. Refusals and failures are not kept: the client may correct them and try again.
 */
@Injectable()
export class Idempotency {
  readonly #running = new Set<string>();

  constructor(
    private readonly answers: IdempotencyStore,
    private readonly units: UnitOfWork,
  ) {}

  /**
   * Does the work of a request and answers with its result, but only once for all the times that it is sent under one
   * `Idempotency-Key`. Without one it just does the work. `operation` is stored with the answer, so it never changes.
   * @throws ApiException 400 for a malformed key, 409 while the first is at work, 422 for another body
   */
  execute(request: RawBodyRequest<Request>, operation: string, work: () => unknown): unknown {
    const key = idempotencyKeyOf(request);
    return key === undefined ? work() : this.#answer(request, operation, key, work);
  }

  async #answer(request: RawBodyRequest<Request>, operation: string, key: string, work: () => unknown) {
    const response = request.res!;
    const bodyHash = createHash('sha256')
      .update(request.rawBody ?? '')
      .digest('hex');
    const attempt: IdempotentRequest = { caller: callerId(request) ?? '', operation, key, bodyHash };
    const known = await this.#find(attempt);
    if (known) return replay(response, known);

    const name = [attempt.caller, operation, key].join(' ');
    if (this.#running.has(name)) throw stillRunning();
    this.#running.add(name);
    try {
      return await this.#once(attempt, response, work);
    } finally {
      this.#running.delete(name);
    }
  }

  /** Does it and keeps the answer, once: whoever was faster, or an own try whose end nobody heard of, has done it already. */
  async #once(attempt: IdempotentRequest, response: Response, work: () => unknown): Promise<JsonText> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.units.run(() => this.#answerAndKeep(attempt, response, work));
      } catch (error) {
        const endUnknown = error instanceof DatabaseUnavailable && error.isOutcomeUnknown;
        if (!(error instanceof AlreadyCompleted) && !(endUnknown && attempts < MAX_ATTEMPTS)) throw error;
        const known = await this.#find(attempt);
        if (known) return replay(response, known);
        if (!endUnknown) throw stillRunning();
      }
    }
  }

  async #answerAndKeep(
    attempt: IdempotentRequest,
    response: Response,
    work: () => unknown,
  ): Promise<JsonText> {
    const body = writeJson(await work());
    const { statusCode: status } = response;
    await this.answers.keep(attempt, { status, headers: keptOf(response), body });
    return JsonText.written(body);
  }

  async #find(attempt: IdempotentRequest): Promise<StoredResponse | undefined> {
    const known = await this.answers.find(attempt);
    if (!known || known.bodyHash === attempt.bodyHash) return known?.answer;
    throw new ApiException(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Make a new key for each thing you want done.',
    );
  }
}

function replay(response: Response, { status, headers, body }: StoredResponse): JsonText {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Idempotency-Replayed', 'true');
  return JsonText.written(body);
}

function keptOf(response: Response): Record<string, string> {
  const kept = KEPT_HEADERS.map((name) => [name, response.getHeader(name)] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

const stillRunning = () =>
  new ApiException(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being answered. Try again.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
