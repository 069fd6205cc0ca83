import { hash } from 'node:crypto';
import type { Response } from 'express';
import fresh from 'fresh';
import { writeJson } from '../../json/write-json.js';

/** The entity tag of some content; weak where the same text would not have to mean the same bytes for ever, as for a list. */
export function entityTag(content: string | Buffer, weak: boolean): string {
  const tag = `"${hash('sha1', content, 'base64url')}"`;
  return weak ? `W/${tag}` : tag;
}

/**
 * Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 section 8.8.3.2), or any. A `Cache-Control: no-cache`
 * that comes with it, as `fetch` adds, does not matter.
 */
function isKnownTo(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch }, { etag: tag });
}

/** An answer that is written already, for everybody who waits for it or for who asks again. */
export class JsonText {
  #tag: string | undefined;

  private constructor(
    readonly text: string,
    private readonly isList: boolean,
  ) {}

  static of(body: unknown): JsonText {
    return new JsonText(writeJson(body), Array.isArray(body));
  }

  /** JSON that was written before. */
  static written(text: string): JsonText {
    return new JsonText(text, false);
  }

  /** Weak for a list: the same text does not have to mean the same bytes for ever. */
  get entityTag(): string {
    return (this.#tag ??= entityTag(this.text, this.isList));
  }
}

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

function sendWhole(response: Response, content: string | Buffer): void {
  response.setHeader('Content-Length', Buffer.byteLength(content));
  response.end(content);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * Sends the whole answer at once: plain data as JSON with exact integers, a text as it is, nothing where there is nothing.
 * What was asked for with GET or HEAD has an entity tag.
 */
export function sendJson(response: Response, body: unknown): void {
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  addVary(response);
  if (body === undefined || body === null) {
    response.end();
    return;
  }
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', typeof body === 'string' ? TEXT_TYPE : JSON_TYPE);

  const text = textOf(body);
  const { method } = response.req;
  if (response.statusCode === 200 && (method === 'GET' || method === 'HEAD')) {
    const tag = body instanceof JsonText ? body.entityTag : entityTag(text, Array.isArray(body));
    sendTagged(response, text, tag);
  } else sendWhole(response, text);
}

function textOf(body: unknown): string {
  if (body instanceof JsonText) return body.text;
  return typeof body === 'string' ? body : writeJson(body);
}

const VARY = 'Authorization, Accept';

/** CORS may have named Origin already. */
function addVary(response: Response): void {
  if (response.hasHeader('Vary')) response.vary(VARY);
  else response.setHeader('Vary', VARY);
}
