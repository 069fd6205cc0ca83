import { ServerResponse } from 'node:http';

declare module 'http' {
  interface OutgoingMessage {
    /** Node's own, not documented: puts the head of the answer together. */
    _storeHeader(firstLine: string, headers: unknown): void;
  }
}

/** A response whose head begins with lines that were written once for all answers. */
export class PreludedResponse extends ServerResponse {
  /** Lines of headers, each with its end. What is in them cannot be set, and is not checked again. */
  prelude = '';

  override _storeHeader(firstLine: string, headers: unknown): void {
    super._storeHeader(firstLine + this.prelude, headers);
  }
}
