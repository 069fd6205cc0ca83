import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type CanActivate, type ExecutionContext, Injectable, type RawBodyRequest } from '@nestjs/common';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { Settings } from '../config/settings.js';
import { type JsonValue, MalformedJson, parseJson } from '../json/parse-json.js';
import { shownName } from '../json/shown-name.js';
import { ApiException } from './errors/api-exception.js';
import { answerWithError } from './errors/write-error.js';
import { Deprecations } from './deprecation/deprecation.js';
import { type Route, routeOf } from './routes.js';
import { unknownName } from './validation/problems.js';
import { invalidParameters } from './validation/validation.pipe.js';

/** The path of an operation begins with its version. Other routes, such as `/docs`, ignore their query. */
const OF_VERSION = /^\/v\d/;

/**
 * Takes in what a route declares: refuses requests to an operation that was removed, then query parameters that it does not take,
 * and reads and parses its JSON body for `@Body()` and for what a module reads through the request, with exact integers, as number
 * or bigint. It is the last of the global guards, so that the body of a client without a key is never read.
 */
@Injectable()
export class InputGuard implements CanActivate {
  constructor(
    private readonly deprecations: Deprecations,
    private readonly settings: Settings,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<RawBodyRequest<Request>>();
    const route = routeOf(request) as Route;
    const { deprecation, queryNames, takesBody, consumes } = route;
    if (deprecation && this.deprecations.isGone(deprecation)) throw new ApiException('operation_removed');
    if (queryNames && request.url.includes('?') && OF_VERSION.test(request.path))
      rejectUnknown(request.query, queryNames);
    if (isUpload(request, consumes)) limitUpload(request, this.settings.bodyLimit);
    // Unless a parser of the module has read it.
    else if (request.body === undefined && (takesBody || bringsBody(request, route)))
      return this.#read(request, takesBody);
    return true;
  }

  async #read(request: RawBodyRequest<Request>, isRequired: boolean): Promise<true> {
    const bytes = await readBody(request, this.settings.bodyLimit);
    // A chunked body may have no bytes.
    if (bytes.length === 0 && !isRequired) return true;
    request.rawBody = bytes;
    request.body = parse(bytes);
    return true;
  }
}

/**
 * Whether a request has a body that a route may read without `@Body()`. What is not JSON is left to the module where it takes it in:
 * by `@ApiConsumes()`, as a file, or as a stream through `@Req()`.
 */
function bringsBody(request: Request, { mayReadAll, takesStream, consumes }: Route): boolean {
  if (!mayReadAll || request.headers['content-length'] === '0') return false;
  const json = request.is([...typesOfBody(request.method)]);
  // Null: there is no body.
  if (json !== false) return json !== null;
  return !takesStream && !consumes.some((type) => request.is(type));
}

function rejectUnknown(query: object, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw invalidParameters(
    unknown.map((name) => ({
      field: `query.${shownName(name)}`,
      code: 'unknown_field',
      message: unknownName(name, known),
    })),
  );
}

const MULTIPART = 'multipart/form-data';

/** Whether a form is sent to a route that has `@ApiConsumes('multipart/form-data')`. */
const isUpload = ({ headers }: Request, consumes: readonly string[]) =>
  consumes.includes(MULTIPART) && headers['content-type']?.toLowerCase().startsWith(MULTIPART) === true;

/**
 * Refuses an upload of more than `limit` bytes, which the module's own parser reads: by its length, or by counting what comes.
 * @throws ApiException 413
 */
function limitUpload(request: Request, limit: number): void {
  const { 'content-length': length } = request.headers;
  if (Number(length) > limit) throw tooLarge(limit);
  if (length !== undefined) return;
  let count = 0;
  const add = (chunk: Buffer) => {
    count += chunk.length;
    if (count <= limit) return;
    // Reads and drops the rest, so that the answer can be sent.
    request.off('data', add).unpipe().resume();
    const error = tooLarge(limit);
    // The parser cleans up, and throws it.
    if (request.listenerCount('error') > 0) request.emit('error', error);
    else if (!request.res!.headersSent) answerWithError(request.res!, error.answer);
  };
  // Paused, nothing comes before the parser reads it; what nobody reads does not stand before the next request.
  request.pause().on('data', add);
  request.res!.once('finish', () => request.resume());
}

function parse(bytes: Buffer): JsonValue {
  if (bytes.length === 0) throw new ApiException('invalid_json', 'The body is empty. Send a JSON object.');
  try {
    return parseJson(bytes);
  } catch (cause) {
    if (!(cause instanceof MalformedJson)) throw cause;
    throw new ApiException('invalid_json', `The body is not acceptable JSON: ${cause.message}.`, { cause });
  }
}

/** Empty parameters are allowed (RFC 9110 section 5.6.6). */
const JSON_MEDIA_TYPE =
  /^(application\/[a-z+-]+)[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?)*$/i;
const JSON_TYPES = ['application/json'];
/** For a PATCH also the media type of a merge patch (RFC 7396); any JSON body of a PATCH is treated as one. */
const PATCH_TYPES = ['application/merge-patch+json', ...JSON_TYPES];
export const typesOfBody = (method: string | undefined) => (method === 'PATCH' ? PATCH_TYPES : JSON_TYPES);

/** `type` is what came: where only its charset is wrong, the message names that. */
function unsupportedType(method: string | undefined, type = ''): ApiException {
  const accepted = typesOfBody(method).join(', ');
  const headers = { Accept: accepted, ...(method === 'PATCH' && { 'Accept-Patch': accepted }) };
  const charset = isJson(type.replace(CHARSET, ''), method) ? CHARSET.exec(type)?.[1] : undefined;
  const message =
    charset &&
    `The charset ${shownName(charset)} is not supported. Send the body as UTF-8, the only charset of JSON.`;
  return new ApiException('unsupported_media_type', message, { headers });
}

/** A charset that is not UTF-8. */
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?(?!utf-8"?[ \t]*(?:;|$))([^";\s]+)"?/i;

/**
 * Reads the JSON body of a request to its end, decompressing gzip. `limit` bounds the bytes, sent and decompressed. @throws
 * ApiException 413 above the limit; 415 for another media type, charset or encoding; 400 for a truncated or corrupt body
 */
export async function readBody(
  request: IncomingMessage & { readonly res?: ServerResponse },
  limit: number,
): Promise<Buffer> {
  const { 'content-length': contentLength, 'content-type': mediaType, expect } = request.headers;
  const length = Number(contentLength ?? Number.NaN);
  if (length > limit) throw tooLarge(limit);
  const empty = length === 0 || (Number.isNaN(length) && request.headers['transfer-encoding'] === undefined);
  const known = mediaType === undefined ? empty : isJson(mediaType, request.method);
  if (!known) throw unsupportedType(request.method, mediaType);
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  // Two names of the same coding (RFC 9110 section 8.4.1.3).
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip';
  if (encoding !== 'identity' && !isGzip)
    throw new ApiException('unsupported_media_type', undefined, { headers: { 'Accept-Encoding': 'gzip' } });
  // Such a client sends the body only after the answer; HTTP/1.0 does not support it (RFC 9110 section 10.1.1).
  if (expect !== undefined && request.httpVersion !== '1.0') request.res?.writeContinue();
  try {
    const bytes = await getRawBody(request, { limit, length: contentLength });
    return isGzip ? await inflate(bytes, { maxOutputLength: limit }) : bytes;
  } catch (error) {
    // Reads and drops the rest, so that the answer can be sent.
    request.resume();
    const { type, code } = error as { type?: string; code?: string };
    const isTooLarge = type === 'entity.too.large' || code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(limit) : unreadable(error);
  }
}

function isJson(mediaType: string, method: string | undefined): boolean {
  const [, type] = JSON_MEDIA_TYPE.exec(mediaType) ?? [];
  return type !== undefined && typesOfBody(method).includes(type.toLowerCase());
}

const inflate = promisify(gunzip) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const tooLarge = (limit: number) =>
  new ApiException('payload_too_large', `The body is too large. At most ${limit} bytes are read.`);

const unreadable = (cause: unknown) =>
  new ApiException('invalid_json', 'The body could not be read to its end. Send it again.', { cause });
