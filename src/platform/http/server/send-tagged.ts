import type { Response } from 'express';
import { isKnownTo } from './entity-tag.js';

/** Sends content that has an entity tag, unless the client has it already (RFC 9110 sections 8.8.3 and 13.1.2). */
export function sendTagged(response: Response, content: string | Buffer, tag: string): void {
  response.setHeader('ETag', tag);
  if (!isKnownTo(response.req.headers['if-none-match'], tag)) {
    sendWhole(response, content);
    return;
  }
  response.statusCode = 304;
  response.removeHeader('Content-Type');
  response.removeHeader('Content-Encoding');
  response.end();
}

export function sendWhole(response: Response, content: string | Buffer): void {
  response.setHeader('Content-Length', Buffer.byteLength(content));
  response.end(content);
}
