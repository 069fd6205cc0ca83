import { ServerResponse } from 'node:http';

declare module 'http' {
  interface OutgoingMessage {
    /** Node's own, not documented: puts the head of the answer together. */
    _storeHeader(firstLine: string, headers: unknown): void;
  }
}

/**
 * A response whose head begins with lines that were written once for all answers. Node has no documented way to send header
 * lines without checking each of them again, which costs 0.6 us an answer (docs/decisions/0067-internals.md).
 */
export class FixedHeaderResponse extends ServerResponse {
  /** Lines of headers, each with its end, which are not checked again. */
  fixedHeaderLines = '';

  /** Leaves out the line of a header. */
  protected omitFixedHeader(key: string): void {
    const lines = this.fixedHeaderLines.split('\r\n');
    this.fixedHeaderLines = lines.filter((line) => !line.toLowerCase().startsWith(`${key}:`)).join('\r\n');
  }

  override _storeHeader(firstLine: string, headers: unknown): void {
    super._storeHeader(firstLine + this.fixedHeaderLines, headers);
  }
}
