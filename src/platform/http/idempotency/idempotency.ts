import { hash } from 'node:crypto';
import {
  applyDecorators,
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  type RawBodyRequest,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { DatabaseUnavailable } from '../../database/errors.js';
import { parseJson } from '../../json/parse-json.js';
import { writeJson } from '../../json/write-json.js';
import { callerId } from '../caller.js';
import { ApiException, RETRY_AFTER } from '../errors/api-exception.js';
import { requestThrough } from '../request-through.js';
import { ApiErrors } from '../route.decorators.js';
import { keepText } from '../server/send-json.js';
import {
  AlreadyCompleted,
  IdempotencyStore,
  type IdempotentRequest,
  type StoredResponse,
} from './idempotency-store.js';

/** The form of a key that `idempotencyKeyOf` accepts, bare or quoted. A raw quote would end the string that a generator makes of it. */
const EITHER_KEY = String.raw`^([!#-~][!-~]{0,254}|\x22([!#-\[\]-~]|\\[\x22\\]){1,255}\x22)$`;

/**
 * Makes an operation safe to send again: the parameter is a function that does the work of the handler once. Nest makes it
 * together with the arguments that it validates, so an invalid body is refused before its key is looked up. Answers are stored
 * under the names of the class and the method: who renames them forgets the keys of the last 24 hours.
 */
export const Idempotent = (): ParameterDecorator => (controller, name, index) => {
  requestThrough(`${controller.constructor.name}.${String(name)}`, Idempotency)(controller, name, index);
  DOCUMENTED(controller, name!, Object.getOwnPropertyDescriptor(controller, name!)!);
};

const DOCUMENTED = applyDecorators(
  ApiErrors('invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused'),
  ApiHeader({
    name: 'Idempotency-Key',
    description:
      'A key of your own, such as a UUID, for what this request is to do. Sent again with the same key and body within ' +
      '24 hours, the request is answered as the first time, with `Idempotency-Replayed: true`. In quotes or bare, 1 to 255 ' +
      'visible ASCII characters.',
    schema: { type: 'string', pattern: EITHER_KEY },
  }),
);

const MAX_ATTEMPTS = 3;
/** The headers of a response that are stored with it. */
const STORED_HEADERS = ['Location', 'Link'];

/**
 * Does the work of a request, only once for all requests with the same `Idempotency-Key`. @returns the answer, the first one if
 * there was one. @throws ApiException 400 for a malformed key, 409 while the first request is being served, 422 for another body
 */
export type Once = (work: () => unknown) => unknown;

/**
 * Answers a repeated request with the response of the first one. Effect and response are stored in one unit of work, so neither
 * exists without the other. Errors are not stored, so that the client can correct the request and try again.
 */
@Injectable()
export class Idempotency implements PipeTransform<RawBodyRequest<Request>, Once> {
  readonly #running = new Set<string>();

  constructor(
    private readonly store: IdempotencyStore,
    private readonly units: UnitOfWork,
  ) {}

  /** For `@Idempotent()`. Without a key the request only does its work. */
  transform(request: RawBodyRequest<Request>, { data: operation }: ArgumentMetadata): Once {
    return (work) => {
      const key = idempotencyKeyOf(request);
      return key === undefined ? work() : this.#execute(request, operation!, key, work);
    };
  }

  async #execute(httpRequest: RawBodyRequest<Request>, operation: string, key: string, work: () => unknown) {
    const response = httpRequest.res!;
    const bodyHash = hash('sha256', httpRequest.rawBody ?? textOf(httpRequest.body), 'hex');
    const request: IdempotentRequest = { caller: callerId(httpRequest) ?? '', operation, key, bodyHash };
    const stored = await this.#find(request);
    if (stored) return replay(response, stored);

    const name = [request.caller, operation, key].join(' ');
    if (this.#running.has(name)) throw inProgress();
    this.#running.add(name);
    try {
      return await this.#executeOnce(request, response, work);
    } finally {
      this.#running.delete(name);
    }
  }

  /** Another replica, or an earlier try of this one whose outcome is unknown, may have completed the request. */
  async #executeOnce(request: IdempotentRequest, response: Response, work: () => unknown): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.units.run(async () => {
          const body = await work();
          const { statusCode: status } = response;
          const headers = headersToStore(response);
          await this.store.add(request, { status, headers, body: writeJson(body) });
          return body;
        });
      } catch (error) {
        const isUnavailable = error instanceof DatabaseUnavailable;
        if (isUnavailable && !(error.isOutcomeUnknown && attempt < MAX_ATTEMPTS)) throw error;
        // The rejection may be caused by the request's own effect: an animal that it has reserved is not available.
        const stored = await this.#find(request);
        if (stored) return replay(response, stored);
        if (error instanceof AlreadyCompleted) throw inProgress();
        if (!isUnavailable) throw error;
      }
    }
  }

  async #find(request: IdempotentRequest): Promise<StoredResponse | undefined> {
    const stored = await this.store.find(request);
    if (!stored || stored.bodyHash === request.bodyHash) return stored?.response;
    throw new ApiException('idempotency_key_reused');
  }
}

/** The text of a body that a parser of the module has read. */
const textOf = (body: unknown) => (body === undefined ? '' : writeJson(body));

function replay(response: Response, { status, headers, body: text }: StoredResponse): unknown {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Idempotency-Replayed', 'true');
  // The data, for interceptors; the text is what is sent.
  const body = parseJson(Buffer.from(text));
  if (typeof body === 'object' && body !== null) keepText(body, text);
  return body;
}

function headersToStore(response: Response): Record<string, string> {
  const headers = STORED_HEADERS.map((name) => [name, response.getHeader(name)] as const);
  return Object.fromEntries(
    headers.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

const inProgress = () => new ApiException('idempotency_in_progress', undefined, { headers: RETRY_AFTER });

/** 1 to 255 visible ASCII characters, or the same as a structured-field string (RFC 8941 section 3.3.3). */
const KEY = /^[\x21-\x7e]{1,255}$/;
const QUOTED_KEY = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** The `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), quoted or bare. @throws ApiException 400 */
function idempotencyKeyOf({ headers }: Request): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const text = String(given);
  const key = text.startsWith('"') ? QUOTED_KEY.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  // Node joins several headers by a comma and a space, which no key has.
  if (key !== undefined && KEY.test(key)) return key;
  throw new ApiException('invalid_idempotency_key');
}
