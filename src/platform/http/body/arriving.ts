import type { Request } from 'express';
import { ApiException } from '../errors/api-exception.js';
import { answerWithError } from '../errors/write-error.js';
import { type BodyMemory, BodyShare } from './body-memory.js';

export const tooLarge = (limit: number) =>
  new ApiException('payload_too_large', `The body is too large. At most ${limit} bytes are read.`);

/** Sends `100 Continue` to a client that waits for it before it sends the body. HTTP/1.0 does not have it (RFC 9110 section 10.1.1). */
export function askForBody({ headers, httpVersion, res }: Request): void {
  if (headers.expect !== undefined && httpVersion !== '1.0') res!.writeContinue();
}

/**
 * Counts the bytes of a body that other code reads. If there are too many bytes, that code gets the error, and the rest of the body is
 * read and dropped so that the response can be sent. @returns a function that ends the counting
 */
export function countArriving(request: Request, share: BodyShare): () => void {
  const count = (chunk: Buffer) => {
    try {
      share.hold(share.bytes + chunk.length);
    } catch (error) {
      stop();
      request.unpipe().resume();
      fail(request, error as ApiException);
    }
  };
  const stop = () => void request.off('data', count);
  request.on('data', count);
  return stop;
}

function fail(request: Request, error: ApiException): void {
  const response = request.res!;
  // The reader of the body cleans up, and throws the error.
  if (request.listenerCount('error') > 0) request.emit('error', error);
  else if (!response.headersSent) answerWithError(response, error.answer);
}

export const MULTIPART = 'multipart/form-data';

/** Whether a request sends a form to a route that has `@ApiConsumes('multipart/form-data')`. */
export const isUpload = (request: Request, consumes: readonly string[]): boolean =>
  consumes.includes(MULTIPART) && request.is(MULTIPART) === MULTIPART;

/**
 * Lets a parser of the module read an upload, and counts its bytes. @throws ApiException 411 without `Content-Length` (RFC 9110 section
 * 15.5.12), 413 above the limit
 */
export function acceptUpload(request: Request, limit: number, memory: BodyMemory): void {
  const { 'content-length': length } = request.headers;
  if (length === undefined) throw new ApiException('length_required');
  if (Number(length) > limit) throw tooLarge(limit);
  const share = new BodyShare(memory);
  const stopCounting = countArriving(request.pause(), share);
  // The request is paused, so nothing arrives before the parser reads. If no parser reads the upload, its bytes must not stay in front of
  // the next request.
  const response = request.res!;
  response.once('finish', () => request.resume());
  response.once('close', () => {
    stopCounting();
    share.hold(0);
  });
  askForBody(request);
}
