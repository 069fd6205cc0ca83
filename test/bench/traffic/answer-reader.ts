/** One response of a server; its size includes the headers. */
export interface Answer {
  readonly status: number;
  readonly bytes: number;
}

/** Parses responses on a connection with one request at a time, as far as a benchmark needs. */
export class AnswerReader {
  #buffer: Buffer = Buffer.alloc(0);

  /** @returns the response once it is complete; it must have a Content-Length */
  push(chunk: Buffer): Answer | 'unreadable' | undefined {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    const end = this.#buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#buffer.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return 'unreadable';
    const bytes = end + 4 + Number(length);
    if (this.#buffer.length < bytes) return undefined;
    this.#buffer = Buffer.alloc(0);
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), bytes };
  }
}
