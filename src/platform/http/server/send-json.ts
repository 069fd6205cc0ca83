import type { Response } from 'express';
import { writeJson } from '../json/write-json.js';
import { entityTag, isKnownTo } from './entity-tag.js';

/**
 * Sends the whole answer at once: plain data as JSON with exact integers, a string as it is. What was asked for with GET
 * or HEAD has an entity tag, and is not sent to a client that has it already (RFC 9110 sections 8.8.3 and 13.1.2).
 */
export function sendJson(response: Response, body: unknown): void {
  if (body === undefined || body === null) {
    response.end();
    return;
  }
  const text = typeof body === 'string' ? body : writeJson(body);
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  response.vary('Authorization, Accept');

  const { method, headers } = response.req;
  if (response.statusCode === 200 && (method === 'GET' || method === 'HEAD')) {
    const tag = entityTag(text, Array.isArray(body));
    response.setHeader('ETag', tag);
    if (isKnownTo(headers['if-none-match'], tag)) {
      response.statusCode = 304;
      response.removeHeader('Content-Type');
      response.end();
      return;
    }
  }
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
