import { SECRET } from '../../support/load/caller.js';

/** A message, and the expected responses. */
export interface HttpCase {
  /** Of RFC 9110 or 9112, such as `9112 3.2`. */
  readonly section: string;
  /** Bytes, as a Latin-1 string. */
  readonly message: string;
  /** The statuses and the state of the connection, such as `100 201 open`, as a pattern of the whole. */
  readonly outcome: string;
  /** What the head of every final response must contain, and what no response may contain. */
  readonly has?: RegExp;
  readonly lacks?: RegExp;
  /** Whether the client closes its sending side afterwards. */
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

/** A valid request with these additional headers, each with its end of line. */
export const get = (headers = '', target = '/livez', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** A request to add an animal; the headers say how long the body is. */
export const post = (headers: string, body = PET) =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}${JSON_TYPE}${headers}\r\n${body}`;

/** A request to add an animal, in chunks. */
export const chunked = (body: string, coding = 'chunked') => post(`Transfer-Encoding: ${coding}\r\n`, body);

export const CHUNKS = `${PET.length.toString(16)}\r\n${PET}\r\n0\r\n\r\n`;
