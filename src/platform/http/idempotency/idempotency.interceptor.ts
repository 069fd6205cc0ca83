import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { Settings } from '../../config/settings.js';
import { DatabaseUnavailable } from '../../database/database-errors.js';
import { bodyOf } from '../body/body-of.js';
import { callerOf } from '../caller.js';
import { HttpRefusal } from '../errors/http-refusal.js';
import { writeJson } from '../../json/write-json.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { AnsweredMeanwhile, type Attempt, type StoredAnswer, StoredAnswers } from './stored-answers.js';

const MOST_TRIES = 3;
/** The headers of an answer that are kept with it. */
const KEPT_HEADERS = ['Location', 'Link'];

/**
 * Answers a request that is sent again with the answer it had the first time. Effect and answer are one unit of work: there
 * is never the one without the other. Refusals and failures are not kept: the client may correct them and try again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  readonly #running = new Set<string>();

  constructor(
    private readonly answers: StoredAnswers,
    private readonly units: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = idempotencyKeyOf(request);
    if (key === undefined) return next.handle();
    const operation = `${context.getClass().name}.${context.getHandler().name}`;
    return from(this.#answer(request, context.switchToHttp().getResponse<Response>(), operation, key, next));
  }

  async #answer(request: Request, response: Response, operation: string, key: string, next: CallHandler) {
    const body = await bodyOf(request, this.settings.bodyLimit);
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const attempt: Attempt = { caller: callerOf(request) ?? '', operation, key, bodyHash };
    const known = await this.#find(attempt);
    if (known) return replay(response, known);

    const name = [attempt.caller, operation, key].join(' ');
    if (this.#running.has(name)) throw stillRunning();
    this.#running.add(name);
    try {
      return await this.#once(attempt, response, next);
    } finally {
      this.#running.delete(name);
    }
  }

  /** Does it and keeps the answer, once: whoever was faster, or an own try whose end nobody heard of, has done it already. */
  async #once(attempt: Attempt, response: Response, next: CallHandler): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.units.run(() => this.#answerAndKeep(attempt, response, next));
      } catch (error) {
        const endUnknown = error instanceof DatabaseUnavailable && error.mayBeDone;
        if (!(error instanceof AnsweredMeanwhile) && !(endUnknown && tries < MOST_TRIES)) throw error;
        const known = await this.#find(attempt);
        if (known) return replay(response, known);
        if (!endUnknown) throw stillRunning();
      }
    }
  }

  async #answerAndKeep(attempt: Attempt, response: Response, next: CallHandler): Promise<string> {
    const text = writeJson(await lastValueFrom(next.handle()));
    const { statusCode: status } = response;
    await this.answers.keep(attempt, { status, headers: keptOf(response), body: text });
    return text;
  }

  async #find(attempt: Attempt): Promise<StoredAnswer | undefined> {
    const known = await this.answers.find(attempt);
    if (!known || known.bodyHash === attempt.bodyHash) return known?.answer;
    throw new HttpRefusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Make a new key for each thing you want done.',
    );
  }
}

function replay(response: Response, { status, headers, body }: StoredAnswer): string {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Idempotency-Replayed', 'true');
  return body;
}

function keptOf(response: Response): Record<string, string> {
  const kept = KEPT_HEADERS.map((name) => [name, response.getHeader(name)] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

const stillRunning = () =>
  new HttpRefusal(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being answered. Try again.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
