import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { BODY_LIMITS } from '../../json/json-limits.js';
import { type JsonValue, MalformedJson, parseJson } from '../../json/parse-json.js';
import { ApiException } from '../errors/api-exception.js';
import { askForBody, countArriving, MULTIPART, tooLarge } from './arriving.js';
import type { BodyShare } from './body-memory.js';

const JSON_TYPES = ['application/json'];
/** A PATCH also takes the media type of a merge patch (RFC 7396). Any JSON body of a PATCH is treated as a merge patch. */
const PATCH_TYPES = ['application/merge-patch+json', ...JSON_TYPES];
export const jsonTypesOf = (method: string | undefined) => (method === 'PATCH' ? PATCH_TYPES : JSON_TYPES);

/** The media types that a route declares with `@ApiConsumes`, or JSON. A form is left out, because a parser of the module reads it. */
export function typesOfBody(consumes: readonly string[], method: string | undefined): string[] {
  const declared = consumes.filter((type) => type !== MULTIPART);
  return declared.length > 0 ? declared : jsonTypesOf(method);
}

/**
 * Reads the body of a request to its end, and decompresses gzip. `types` are the media types that it may have. `limit` bounds the bytes,
 * both sent and decompressed. `share` counts them.
 * @throws ApiException 413 above the limit, 415 for another media type or encoding, 400 for a truncated or corrupt body
 * @throws ApiException 503 if the process holds too many bytes of bodies
 */
export async function readBody(
  request: Request,
  types: string[],
  limit: number,
  share: BodyShare,
): Promise<Buffer> {
  const { 'content-length': length, 'content-type': mediaType } = request.headers;
  if (Number(length) > limit) throw tooLarge(limit);
  // Null means that the request does not have a body. An empty body does not need a media type.
  const isAccepted = request.is(types) !== false;
  if (!isAccepted && !(mediaType === undefined && Number(length) === 0))
    throw unsupportedType(request.method, types);
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  // These are two names of the same coding (RFC 9110 section 8.4.1.3).
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip';
  if (encoding !== 'identity' && !isGzip)
    throw new ApiException('unsupported_media_type', undefined, { headers: { 'Accept-Encoding': 'gzip' } });
  askForBody(request);
  const stopCounting = countArriving(request, share);
  try {
    const bytes = await getRawBody(request, { limit, length });
    return isGzip ? await inflate(bytes, limit, share) : bytes;
  } catch (error) {
    // The rest is read and dropped, so that the response can be sent.
    request.resume();
    if (error instanceof ApiException) throw error;
    const { type, code } = error as { type?: string; code?: string };
    const isTooLarge = type === 'entity.too.large' || code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(limit) : unreadable(error);
  } finally {
    stopCounting();
  }
}

/** Until the inflated size is known, the share holds the limit, because several bodies inflate at the same time. */
async function inflate(bytes: Buffer, limit: number, share: BodyShare): Promise<Buffer> {
  share.hold(limit);
  const inflated = await gunzipped(bytes, { maxOutputLength: limit });
  share.hold(inflated.length);
  return inflated;
}

const gunzipped = promisify(gunzip) as (
  bytes: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer>;

function unsupportedType(method: string, types: readonly string[]): ApiException {
  const accepted = types.join(', ');
  const headers = { Accept: accepted, ...(method === 'PATCH' && { 'Accept-Patch': accepted }) };
  return new ApiException('unsupported_media_type', undefined, { headers });
}

const unreadable = (cause: unknown) =>
  new ApiException('invalid_json', 'The body could not be read to its end. Send it again.', { cause });

/** Parses a JSON body of at most `values` values. @throws ApiException 400 */
export function parseBody(bytes: Buffer, values = BODY_LIMITS.values): JsonValue {
  if (bytes.length === 0) throw new ApiException('invalid_json', 'The body is empty. Send a JSON object.');
  try {
    return parseJson(bytes, { ...BODY_LIMITS, values });
  } catch (cause) {
    if (!(cause instanceof MalformedJson)) throw cause;
    throw new ApiException('invalid_json', `The body is not acceptable JSON: ${cause.message}.`, { cause });
  }
}
