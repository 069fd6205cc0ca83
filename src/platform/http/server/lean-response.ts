import type { OutgoingHttpHeader } from 'node:http';
import { FixedHeaderResponse } from './fixed-header-response.js';

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
    this.#headers.set(name.toLowerCase(), [name, value as OutgoingHttpHeader]);
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
    this.#headers.delete(name.toLowerCase());
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
    if (given !== null && typeof given === 'object') {
      for (const [name, value] of Object.entries(given)) this.setHeader(name, value as string);
    }
    const lines: OutgoingHttpHeader[] = [];
    for (const [name, value] of this.#headers.values()) {
      if (Array.isArray(value)) for (const one of value) lines.push(name, one);
      else lines.push(name, value);
    }
    return super.writeHead(status, lines);
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
