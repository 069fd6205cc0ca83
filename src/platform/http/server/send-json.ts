import type { Response } from 'express';
import { JsonText } from './json-text.js';
import { writeJson } from '../../json/write-json.js';
import { entityTag } from './entity-tag.js';
import { sendTagged, sendWhole } from './send-tagged.js';

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
