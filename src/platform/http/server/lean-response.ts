import { type OutgoingHttpHeader, validateHeaderName, validateHeaderValue } from 'node:http';
import { FixedHeaderResponse } from './fixed-header-response.js';
import { FIXED_HEADERS } from './security-headers.js';

/** What a request may wait for without a place among those at work. */
export type WaitsFor = 'turn' | 'body' | 'delay';

/** Is called when an answer is given, and around a wait. */
interface ResponseObserver {
  answered(response: LeanResponse): void;
  setAside(response: LeanResponse, waitsFor: WaitsFor): void;
  resume(response: LeanResponse): void;
}

/** Who asks, and how many of its requests are at work. */
export interface Client {
  atWork: number;
}

/**
 * A response that keeps its headers in one map and hands them to Node all at once, when the body begins. Until then it can
 * be preempted by another answer.
 */
export class LeanResponse extends FixedHeaderResponse {
  /** Called by the response itself, which costs less than a listener for each. */
  observer: ResponseObserver | undefined;
  /**
   * Set by the observer: its slot for this response, when it came, since when the answer is waited for, in ms, who asks, and
   * what it waits for without a place.
   */
  slot = -1;
  sequence = 0;
  begunAt = Number.NaN;
  client: Client | undefined;
  waitsFor: WaitsFor | undefined;
  /** The status that went out, which is not that of a handler that was preempted; 0 as long as there is none. */
  sentStatus = 0;
  #headers = new Map<string, [name: string, value: OutgoingHttpHeader]>();
  #preempted = false;

  override setHeader(name: string, value: number | string | readonly string[]): this {
    if (this.headersSent && !this.#preempted)
      throw new Error(`The header ${name} comes too late: the headers are sent.`);
    const key = keyOf(name, value as OutgoingHttpHeader);
    if (FIXED_HEADERS.has(key)) this.omitFixedHeader(key);
    this.#headers.set(key, [name, value as OutgoingHttpHeader]);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? value : [before, value].flat().map(String));
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.#headers.get(name.toLowerCase())?.[1];
  }

  override hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  override removeHeader(name: string): void {
    const key = name.toLowerCase();
    this.#headers.delete(key);
    if (FIXED_HEADERS.has(key)) this.omitFixedHeader(key);
  }

  override getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  override getHeaders(): Record<string, OutgoingHttpHeader> {
    return Object.fromEntries([...this.#headers].map(([name, [, value]]) => [name, value]));
  }

  /** Node calls this too, with the status alone, when the body begins. */
  override writeHead(status: number, ...rest: unknown[]): this {
    if (this.#preempted) return this;
    this.sentStatus = status;
    if (typeof rest[0] === 'string') this.statusMessage = rest[0];
    const given = rest.at(-1);
    if (Array.isArray(given)) this.#replaceHeaders(given as string[]);
    else if (given !== null && typeof given === 'object') {
      for (const [name, value] of Object.entries(given)) this.setHeader(name, value as string);
    }
    const lines: OutgoingHttpHeader[] = [];
    for (const [name, value] of this.#headers.values()) {
      if (Array.isArray(value)) for (const one of value) lines.push(name, one);
      else lines.push(name, value);
    }
    return super.writeHead(status, lines);
  }

  /** As Node takes them in one list, names and values in turn, where a name may come again. */
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
    this.observer?.answered(this);
    return super.end(chunk, encoding as BufferEncoding, done as () => void);
  }

  /**
   * Lets `answer` answer in place of the handler. To the handler nothing changes: it finds the status and the headers that it
   * set itself, which may be stored for a retry, and what it sends goes nowhere.
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

/** The headers that were checked: their keys, and the value that was good last. Most have one value for all answers. */
const checked = new Map<string, { readonly key: string; value?: OutgoingHttpHeader }>();
const MAX_CHECKED = 1_000;

/**
 * The name in lower case. What cannot be sent is refused where it is set, and not by Node at the end, where nobody would catch it:
 * a file name in a header may be a client's. @throws TypeError
 */
function keyOf(name: string, value: OutgoingHttpHeader): string {
  let header = checked.get(name);
  if (!header) {
    validateHeaderName(name);
    header = { key: name.toLowerCase() };
    if (checked.size < MAX_CHECKED) checked.set(name, header);
  }
  if (typeof value === 'number' || (typeof value === 'string' && value === header.value)) return header.key;
  if (Array.isArray(value)) for (const one of value) validateHeaderValue(name, one);
  else validateHeaderValue(name, value);
  header.value = value;
  return header.key;
}
