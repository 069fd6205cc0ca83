import { type OutgoingHttpHeader, ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from './security-headers.js';

/** A response that begins with the security headers, and that another answer can preempt until the body begins. */
export class PreemptibleResponse extends ServerResponse {
  /** Told by the response itself when it ends, which is cheaper than a listener on each. */
  observer: { answered(): void } | undefined;
  /** When its request arrived, in ms of `performance.now()`. */
  readonly begunAt = performance.now();
  /** Once it is preempted: what the handler has made of it, and still makes, which is never sent. */
  #unsent: ServerResponse | undefined;

  constructor(...args: ConstructorParameters<typeof ServerResponse>) {
    super(...args);
    for (const [name, value] of SECURITY_HEADERS) super.setHeader(name, value);
  }

  /**
   * Sends the answer of `answer` instead of the handler's. The handler does not notice: it still finds the status and headers
   * that it has set, which may be stored for a retry, and its output is dropped.
   */
  preempt(answer: (response: this) => void): void {
    const { statusCode } = this;
    const unsent = new ServerResponse(this.req);
    for (const [name, value] of Object.entries(this.getHeaders())) unsent.setHeader(name, value!);
    answer(this);
    this.statusCode = statusCode;
    this.#unsent = unsent;
  }

  override setHeader(name: string, value: number | string | readonly string[]): this {
    if (!this.#unsent) return super.setHeader(name, value);
    this.#unsent.setHeader(name, value);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    if (!this.#unsent) return super.appendHeader(name, value);
    this.#unsent.appendHeader(name, value);
    return this;
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.#unsent ? this.#unsent.getHeader(name) : super.getHeader(name);
  }

  override hasHeader(name: string): boolean {
    return this.#unsent ? this.#unsent.hasHeader(name) : super.hasHeader(name);
  }

  override removeHeader(name: string): void {
    if (this.#unsent) this.#unsent.removeHeader(name);
    else super.removeHeader(name);
  }

  /** Node 20 sends only the last of repeated headers in a list of alternating names and values. */
  override writeHead(status: number, ...more: unknown[]): this {
    if (this.#unsent) return this;
    const list = more.at(-1);
    if (!Array.isArray(list)) return super.writeHead(status, ...(more as [string]));
    for (let i = 0; i < list.length; i += 2) super.removeHeader(list[i] as string);
    for (let i = 0; i < list.length; i += 2) super.appendHeader(list[i] as string, list[i + 1] as string);
    return super.writeHead(status, ...(more.slice(0, -1) as [string]));
  }

  override write(...args: unknown[]): boolean {
    return this.#unsent !== undefined || super.write(...(args as [string]));
  }

  override end(...args: unknown[]): this {
    if (this.#unsent) return this;
    this.observer?.answered();
    return super.end(...(args as [string]));
  }
}
