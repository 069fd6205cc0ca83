import { hash } from 'node:crypto';
import { type ArgumentMetadata, Injectable, type PipeTransform, type RawBodyRequest } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { DatabaseUnavailable } from '../../database/errors.js';
import { parseWritten, writeJson } from '../../json/write-json.js';
import { ApiException, RETRY_AFTER } from '../errors/api-exception.js';
import { factsOf, FromRequest } from '../request.js';
import { ApiErrors, documentedParameter } from '../routes/route.decorators.js';
import { keepText } from '../server/send-json.js';
import { HeadersOfWork, restoreHeaders } from './headers-of-work.js';
import {
  AlreadyCompleted,
  IdempotencyStore,
  type IdempotentRequest,
  type StoredResponse,
  type Target,
} from './idempotency-store.js';

/**
 * A key: 1 to 255 visible ASCII characters, or the same as a string of a structured field (RFC 8941 section 3.3.3). The OpenAPI document
 * contains this pattern. A quote in it would end the string that a generator makes of the pattern, so quotes are escaped.
 */
const KEY_PATTERN = String.raw`^([!#-~][!-~]{0,254}|\x22([!#-\[\]-~]|\\[\x22\\]){1,255}\x22)$`;
const KEY = new RegExp(KEY_PATTERN);

/**
 * Makes an operation safe to send again. The parameter is a function that does the work of the handler once. Nest makes the function
 * when it validates the arguments, so an invalid body is rejected before its key is looked up. Responses are stored under the names of
 * the class and the method. If you rename one of them, the keys of the last 24 hours are unknown.
 */
export const Idempotent = (): ParameterDecorator => (controller, name, index) => {
  const operation = `${controller.constructor.name}.${String(name)}`;
  documentedParameter(FromRequest(operation, Idempotency), ...DOCUMENTATION)(controller, name, index);
};

const FOR_AGENTS = {
  'x-agent-description':
    'Leave it out, unless you repeat a call whose result names a key. A repeated call with its key is not executed again. A key has 1 ' +
    'to 255 visible ASCII characters.',
};

const DOCUMENTATION = [
  ApiErrors('invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused'),
  ApiHeader({
    name: 'Idempotency-Key',
    description:
      'A text that you choose for this request, such as a UUID: 1 to 255 visible ASCII characters, with or without quotes. If ' +
      'you send the same request with the same key again within 24 hours, it is not executed again. The response is the first ' +
      'one, with `Idempotency-Replayed: true`.',
    schema: { type: 'string', pattern: KEY_PATTERN, ...FOR_AGENTS },
  }),
];

/**
 * Does the work of a request, only once for all requests with the same `Idempotency-Key`. @returns the result of the work, from the first
 * request if there was one
 * @throws ApiException 400 for a malformed key, 409 while the first request is being executed, 422 for another request
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

  /** Makes the parameter of `@Idempotent()`. Without a key, the function only does the work. */
  transform(request: RawBodyRequest<Request>, { data: operation }: ArgumentMetadata): Once {
    return (work) => {
      const key = idempotencyKeyOf(request);
      return key === undefined ? work() : this.#execute(request, operation!, key, work);
    };
  }

  async #execute(httpRequest: RawBodyRequest<Request>, operation: string, key: string, work: () => unknown) {
    const response = httpRequest.res!;
    const target = targetOf(httpRequest);
    const bodyHash = hash('sha256', httpRequest.rawBody ?? parsedBodyOf(httpRequest), 'hex');
    const request: IdempotentRequest = {
      caller: factsOf(httpRequest).callerId ?? '',
      operation,
      key,
      bodyHash,
    };
    const stored = await this.#find(request, target);
    if (stored) return replay(response, stored);

    const name = [request.caller, operation, key].join(' ');
    if (this.#running.has(name)) throw inProgress();
    this.#running.add(name);
    try {
      return await this.#executeOnce(request, target, response, work);
    } finally {
      this.#running.delete(name);
    }
  }

  async #executeOnce(request: IdempotentRequest, target: Target, response: Response, work: () => unknown) {
    const headers = new HeadersOfWork(response);
    try {
      return await this.units.run(async () => {
        // After a deadlock the unit of work runs again.
        headers.takeBack();
        const body = await work();
        const { statusCode: status } = response;
        const answer = { status, headers: headers.added(), body: writeJson(body), ...target };
        await this.store.add(request, answer);
        return body;
      });
    } catch (error) {
      // Nothing is stored, and the database would not answer a look-up either.
      if (error instanceof DatabaseUnavailable && !error.isOutcomeUnknown) throw error;
      // The response is stored if only the acknowledgement was lost, or if another replica has executed the request. In the second case
      // the work may have failed because of its own effect. For example, a pet that it has reserved is not available.
      // ensures: the effect of a request is not the reason to reject it
      const stored = await this.#find(request, target);
      if (!stored) throw error instanceof AlreadyCompleted ? inProgress() : error;
      headers.takeBack();
      return replay(response, stored);
    }
  }

  async #find(request: IdempotentRequest, target: Target): Promise<StoredResponse | undefined> {
    const stored = await this.store.find(request);
    if (!stored) return undefined;
    const { bodyHash, response } = stored;
    if (bodyHash === request.bodyHash && isOf(response, target)) return response;
    throw new ApiException('idempotency_key_reused');
  }
}

/** The URL as it was sent, because URLs that look different may mean the same. */
function targetOf({ method, url, originalUrl = url }: Request): Target {
  const [path = '', query = ''] = originalUrl.split(/\?(.*)/s);
  return { method, path, query };
}

/** A response that version 2.0 stored has no target, so it belongs to all requests with the same body. */
const isOf = (stored: StoredResponse, { method, path, query }: Target) =>
  stored.path === undefined || (stored.method === method && stored.path === path && stored.query === query);

/** A file of an upload, as multer describes it. A file that multer has written to a folder has no bytes here. */
interface UploadedFile {
  readonly fieldname: string;
  readonly originalname: string;
  readonly size: number;
  readonly buffer?: Buffer;
}
interface Upload {
  readonly body?: unknown;
  readonly file?: UploadedFile;
  /** A list, or a list for each name. */
  readonly files?: object;
}

/** A body that a parser of the module has read, as JSON, with its files. */
function parsedBodyOf({ body, file, files = [] }: Upload): string {
  const all = [file ?? [], Object.values(files) as UploadedFile[]].flat(2);
  const described = all.map(({ fieldname, originalname, size, buffer }) => {
    return [fieldname, originalname, size, buffer && hash('sha256', buffer, 'hex')];
  });
  const text = body === undefined ? '' : writeJson(body);
  return described.length === 0 ? text : `${text} ${writeJson(described)}`;
}

function replay(response: Response, { status, headers, body: text }: StoredResponse): unknown {
  response.statusCode = status;
  restoreHeaders(response, headers);
  response.setHeader('Idempotency-Replayed', 'true');
  // Interceptors get the data, and the client gets the text.
  const body = parseWritten(text);
  if (typeof body === 'object' && body !== null) keepText(body, text);
  return body;
}

const inProgress = () => new ApiException('idempotency_in_progress', undefined, { headers: RETRY_AFTER });

/** The `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), quoted or bare. @throws ApiException 400 */
function idempotencyKeyOf({ headers }: Request): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const text = String(given);
  // Node joins several headers by a comma and a space, and a key has no space.
  if (!KEY.test(text)) throw new ApiException('invalid_idempotency_key');
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : text;
}
