import { type OutgoingHttpHeader, ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { SECURITY_HEADERS } from './security-headers.js';

/** Without a value: a standing header that was removed. */
type Header = readonly [name: string, value: OutgoingHttpHeader | undefined];

/** What every answer has unless its handler sets or removes it. They are not copied into the headers of each. */
const STANDING = new Map<string, Header>(SECURITY_HEADERS.map((header) => [header[0].toLowerCase(), header]));

/**
 * A response that begins with the security headers, collects its own in a map and passes all to Node at once when the body begins.
 * Until then another answer can preempt it.
 */
export class LeanResponse extends ServerResponse {
  /** Told by the response itself when it ends, which is cheaper than a listener on each. */
  observer: { answered(): void } | undefined;
  /** When its request arrived, in ms of `performance.now()`. */
  readonly begunAt = performance.now();
  #headers = new Map<string, Header>();
  #preempted = false;

  override setHeader(name: string, value: number | string | readonly string[]): this {
    if (this.headersSent && !this.#preempted)
      throw new Error(`The header ${name} comes too late: the headers are sent.`);
    this.#headers.set(keyOf(name, value as OutgoingHttpHeader), [name, value as OutgoingHttpHeader]);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? value : [before, value].flat().map(String));
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    const key = name.toLowerCase();
    return (this.#headers.get(key) ?? STANDING.get(key))?.[1];
  }

  override hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  override removeHeader(name: string): void {
    const key = name.toLowerCase();
    if (STANDING.has(key)) this.#headers.set(key, [name, undefined]);
    else this.#headers.delete(key);
  }

  override getHeaderNames(): string[] {
    return Object.keys(this.getHeaders());
  }

  override getHeaders(): Record<string, OutgoingHttpHeader> {
    const all = [...new Map([...STANDING, ...this.#headers])];
    return Object.fromEntries(
      all.flatMap(([key, [, value]]) => (value === undefined ? [] : [[key, value] as const])),
    );
  }

  /** Node also calls this, with only the status, when the body begins. */
  override writeHead(status: number, ...rest: unknown[]): this {
    if (this.#preempted) return this;
    if (typeof rest[0] === 'string') this.statusMessage = rest[0];
    const given = rest.at(-1);
    if (Array.isArray(given)) this.#replaceHeaders(given as string[]);
    else if (given !== null && typeof given === 'object') {
      for (const [name, value] of Object.entries(given)) this.setHeader(name, value as string);
    }
    const lines: OutgoingHttpHeader[] = [];
    for (const [key, [name, value]] of STANDING) if (!this.#headers.has(key)) lines.push(name, value!);
    for (const [name, value] of this.#headers.values()) {
      if (Array.isArray(value)) for (const one of value) lines.push(name, one);
      else if (value !== undefined) lines.push(name, value);
    }
    return super.writeHead(status, lines);
  }

  /** Headers in one list of alternating names and values, as Node accepts them; a name may be repeated. */
  #replaceHeaders(list: readonly string[]): void {
    const pairs = Array.from(
      { length: list.length >> 1 },
      (_, i) => [list[2 * i]!, list[2 * i + 1]!] as const,
    );
    for (const [name] of pairs) this.removeHeader(name);
    for (const [name, value] of pairs) this.appendHeader(name, value);
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    return this.#preempted || super.write(chunk, encoding as BufferEncoding, done as () => void);
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    if (this.#preempted) return this;
    this.observer?.answered();
    return super.end(chunk, encoding as BufferEncoding, done as () => void);
  }

  /**
   * Sends the answer of `answer` instead of the handler's. The handler does not notice: it still finds the status and headers
   * that it has set, which may be stored for a retry, and its output is dropped.
   */
  preempt(answer: (response: this) => void): void {
    const { statusCode } = this;
    const headers = this.#headers;
    this.#headers = new Map(headers);
    answer(this);
    this.#headers = headers;
    this.statusCode = statusCode;
    this.#preempted = true;
  }
}

/**
 * The name in lower case. Invalid headers are rejected where they are set, and not by Node at the end, where nobody would catch
 * the error: a file name in a header may come from a client. @throws TypeError
 */
function keyOf(name: string, value: OutgoingHttpHeader): string {
  validateHeaderName(name);
  if (Array.isArray(value)) for (const one of value) validateHeaderValue(name, one);
  else if (typeof value !== 'number') validateHeaderValue(name, value);
  return name.toLowerCase();
}
