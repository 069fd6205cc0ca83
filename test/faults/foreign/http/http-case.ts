import { SECRET } from '../../support/load/caller.js';

/** Something that is sent, and what must come back. */
export interface HttpCase {
  /** Of RFC 9110 or 9112, such as `9112 3.2`. */
  readonly section: string;
  /** Bytes, as a text of Latin-1. */
  readonly message: string;
  /** The statuses and what becomes of the connection, such as `100 201 open`, as a pattern of the whole. */
  readonly outcome: string;
  /** What every answer must have, and what none may have. */
  readonly has?: RegExp;
  readonly lacks?: RegExp;
  /** Whether the client ends its side afterwards. */
  readonly halfClose?: boolean;
}

type More = Pick<HttpCase, 'has' | 'lacks' | 'halfClose'>;

/** The same outcome for many messages of one section. */
export const cases = (
  section: string,
  outcome: string,
  messages: readonly string[],
  more: More = {},
): HttpCase[] => messages.map((message) => ({ section, message, outcome, ...more }));

export const KEY = `Authorization: Bearer ${SECRET}\r\n`;
export const JSON_TYPE = 'Content-Type: application/json\r\n';
export const PET = '{"name":"x","categoryId":1}';
export const LENGTH = `Content-Length: ${PET.length}\r\n`;

/** A request that is good but for these headers, each with its end of line. */
export const get = (headers = '', target = '/livez', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** A request to add an animal; the headers say how long the body is. */
export const post = (headers: string, body = PET) =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}${JSON_TYPE}${headers}\r\n${body}`;

/** A request to add an animal, in chunks. */
export const chunked = (body: string, coding = 'chunked') => post(`Transfer-Encoding: ${coding}\r\n`, body);

export const CHUNKS = `${PET.length.toString(16)}\r\n${PET}\r\n0\r\n\r\n`;
