import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { ApiException } from '../errors/api-exception.js';
import { LeanResponse } from '../server/lean-response.js';

const JSON_MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

/**
 * The body of a request, as `readBody` reads it. A request whose body is still on its way does not count as one at work.
 * @throws ApiException, as `readBody` does
 */
export async function readRequestBody(request: Request, limit: number): Promise<Buffer> {
  const response = request.res instanceof LeanResponse ? request.res : undefined;
  response?.observer?.upload(response);
  try {
    return await readBody(request, limit, () => {
      if (request.headers.expect !== undefined) request.res?.writeContinue();
    });
  } finally {
    response?.observer?.uploaded(response);
  }
}

/**
 * Reads the JSON body of a request to its end, inflating gzip. `limit` bounds the bytes, as sent and as inflated;
 * `invite` is called once the headers are found good, for a client that waits for that (RFC 9110 section 10.1.1).
 * @throws ApiException 413 above the limit; 415 for another media type, charset or encoding; 400 for a broken body
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  invite: () => void = () => {},
): Promise<Buffer> {
  const { 'content-length': contentLength, 'content-type': mediaType } = request.headers;
  const length = Number(contentLength ?? Number.NaN);
  if (length > limit) throw tooLarge(limit);
  const empty = length === 0 || (Number.isNaN(length) && request.headers['transfer-encoding'] === undefined);
  if (mediaType === undefined ? !empty : !JSON_MEDIA_TYPE.test(mediaType)) {
    throw new ApiException('unsupported_media_type', 'Send the body as "Content-Type: application/json".', {
      headers: { Accept: 'application/json' },
    });
  }
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new ApiException(
      'unsupported_media_type',
      'Send the body plain or with "Content-Encoding: gzip".',
      {
        headers: { 'Accept-Encoding': 'gzip' },
      },
    );
  }
  invite();
  try {
    const bytes = await getRawBody(request, { limit, length: contentLength });
    return encoding === 'gzip' ? await inflate(bytes, { maxOutputLength: limit }) : bytes;
  } catch (error) {
    // What still comes is read but not kept, so that the answer can go out.
    request.resume();
    const { type, code } = error as { type?: string; code?: string };
    const isTooLarge = type === 'entity.too.large' || code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(limit) : unreadable(error);
  }
}

const inflate = promisify(gunzip) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const tooLarge = (limit: number) =>
  new ApiException('payload_too_large', `The body is too large. At most ${limit} bytes are read.`);

const unreadable = (cause: unknown) =>
  new ApiException('invalid_json', 'The body could not be read to its end. Send it again.', { cause });
