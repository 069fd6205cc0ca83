import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HttpRefusal } from '../errors/http-refusal.js';

const JSON_MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

/**
 * Reads the JSON body of a request to its end, inflating gzip. `limit` bounds the bytes, as sent and as inflated;
 * `invite` is called once the headers are found good, for a client that waits for that (RFC 9110 section 10.1.1).
 * @throws HttpRefusal 413 above the limit; 415 for another media type, charset or encoding; 400 for a broken body
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  invite: () => void = () => {},
): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (length > limit) throw tooLarge(limit);
  const empty = length === 0 || (Number.isNaN(length) && request.headers['transfer-encoding'] === undefined);
  const mediaType = request.headers['content-type'];
  if (mediaType === undefined ? !empty : !JSON_MEDIA_TYPE.test(mediaType)) {
    throw new HttpRefusal('unsupported_media_type', 'Send the body as "Content-Type: application/json".', {
      headers: { Accept: 'application/json' },
    });
  }
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new HttpRefusal('unsupported_media_type', 'Send the body plain or with "Content-Encoding: gzip".', {
      headers: { 'Accept-Encoding': 'gzip' },
    });
  }
  invite();
  const bytes = await collect(request, limit);
  return encoding === 'gzip' ? inflate(bytes, limit) : bytes;
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A client may have left before anybody read: then no event comes any more.
    if (request.destroyed) reject(unreadable());
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      // What still comes is read, so that the answer can go out, but not kept.
      request.off('data', onData).resume();
      reject(tooLarge(limit));
    };
    request.on('data', onData);
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', (cause) => reject(unreadable(cause)));
    request.once('close', () => request.readableEnded || reject(unreadable()));
  });
}

const unzip = promisify(gunzip) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

async function inflate(bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    return await unzip(bytes, { maxOutputLength: limit });
  } catch (error) {
    const bomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw bomb ? tooLarge(limit) : unreadable(error);
  }
}

const tooLarge = (limit: number) =>
  new HttpRefusal('payload_too_large', `The body is too large. At most ${limit} bytes are read.`);

const unreadable = (cause?: unknown) =>
  new HttpRefusal('invalid_json', 'The body could not be read to its end. Send it again.', { cause });
