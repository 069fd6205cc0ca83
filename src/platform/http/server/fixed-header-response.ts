import { ServerResponse } from 'node:http';

declare module 'http' {
  interface OutgoingMessage {
    /** Internal to Node, not documented: writes the head of the answer. */
    _storeHeader(firstLine: string, headers: unknown): void;
  }
}

/**
 * A response whose head starts with lines that were built once for all answers. Node has no documented way to send header lines
 * without validating them again, which costs 0.6 us per answer (docs/decisions/0067-internals.md).
 */
export class FixedHeaderResponse extends ServerResponse {
  /** Header lines with their line ends, which are not validated again. */
  fixedHeaderLines = '';

  /** Removes the line of a header. */
  protected omitFixedHeader(key: string): void {
    const lines = this.fixedHeaderLines.split('\r\n');
    this.fixedHeaderLines = lines.filter((line) => !line.toLowerCase().startsWith(`${key}:`)).join('\r\n');
  }

  override _storeHeader(firstLine: string, headers: unknown): void {
    super._storeHeader(firstLine + this.fixedHeaderLines, headers);
  }
}
