import type { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { withErrorHandler } from './file-errors.js';
import {
  entityTag,
  isKnown,
  isRead,
  isWithoutContent,
  sendNothing,
  sendNotModified,
  setCaching,
} from './send-json.js';

/**
 * Sends a file with the same headers for caches as `sendJson`, by `stream`, which is the way of Nest. A file whose content is in
 * memory has an entity tag. A handler may set the tag of any other file. The response to a client that has the content is 304 without it.
 */
export function sendFile(
  response: Response,
  file: StreamableFile,
  needsKey: boolean,
  stream: (file: StreamableFile) => void,
): void {
  setCaching(response, needsKey);
  if (isWithoutContent(response.statusCode)) {
    discard(file);
    sendNothing(response);
    return;
  }
  if (response.statusCode === 200 && isRead(response)) {
    const tag = (response.getHeader('ETag') as string | undefined) ?? tagOf(file);
    if (tag !== undefined) response.setHeader('ETag', tag);
    if (tag !== undefined && isKnown(response, tag)) {
      discard(file);
      sendNotModified(response);
      return;
    }
  }
  stream(withErrorHandler(file, response));
}

/** The entity tag of a file whose stream already holds all bytes, as of `new StreamableFile(bytes)`. Undefined for any other file. */
function tagOf(file: StreamableFile): string | undefined {
  const stream = file.getStream();
  const { length } = file.getHeaders();
  if (!length || stream.readableLength !== length) return undefined;
  const bytes = stream.read() as Buffer;
  stream.unshift(bytes);
  return entityTag(bytes, false);
}

/** The response does not contain the file, so it does not matter if the file cannot be read. */
function discard(file: StreamableFile): void {
  file
    .getStream()
    .on('error', () => {})
    .destroy();
}
