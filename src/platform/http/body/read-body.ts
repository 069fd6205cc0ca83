import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { HttpRefusal } from '../errors/http-refusal.js';

const JSON_MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

/**
 * Reads the JSON body of a request to its end, inflating gzip. `limit` bounds the bytes as sent and as inflated.
 * @throws HttpRefusal 413 above the limit; 415 for another media type, charset or encoding
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (length > limit) throw tooLarge(limit);
  const empty = length === 0 || (Number.isNaN(length) && request.headers['transfer-encoding'] === undefined);
  const mediaType = request.headers['content-type'];
  if (mediaType === undefined ? !empty : !JSON_MEDIA_TYPE.test(mediaType)) {
    throw new HttpRefusal('unsupported_media_type', 'Send the body as "Content-Type: application/json".', {
      headers: { Accept: 'application/json' },
    });
  }
  const stream = decoded(request);
  try {
    return await collect(stream, limit);
  } finally {
    // What nobody wants any more is neither inflated nor kept.
    if (stream !== request) stream.destroy();
    request.resume();
  }
}

function decoded(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  if (encoding !== 'gzip') {
    throw new HttpRefusal('unsupported_media_type', 'Send the body plain or with "Content-Encoding: gzip".', {
      headers: { 'Accept-Encoding': 'gzip' },
    });
  }
  const gunzip = createGunzip();
  request
    .once('error', (error) => gunzip.destroy(error))
    .once('close', () => request.complete || gunzip.destroy());
  return request.pipe(gunzip);
}

function collect(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        stream.removeAllListeners('data');
        reject(tooLarge(limit));
      }
    });
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    stream.once('error', (cause) => reject(unreadable(cause)));
    stream.once('close', () => reject(unreadable()));
  });
}

const tooLarge = (limit: number) =>
  new HttpRefusal('payload_too_large', `The body is too large. At most ${limit} bytes are read.`);

const unreadable = (cause?: unknown) =>
  new HttpRefusal('invalid_json', 'The body could not be read to its end. Send it again.', { cause });
