import { errorBody } from '../errors/error-body.js';
import type { HttpRefusal } from '../errors/http-refusal.js';
import type { LeanResponse } from './lean-response.js';
import { requestIdOf } from './request-id.js';
import { CONTENT_POLICY, linesOf, STANDING_LINES } from './standing-headers.js';

/** A refusal that is written once and sent many times: saying no must cost next to nothing. */
export class PreparedRefusal {
  readonly #status: number;
  readonly #body: string;
  readonly #length: number;
  readonly #headerLines: string;

  constructor(refusal: HttpRefusal) {
    const { contentType, body } = errorBody(refusal, false, '');
    this.#status = refusal.status;
    this.#body = body;
    this.#length = Buffer.byteLength(body);
    const headers = { ...refusal.headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' };
    this.#headerLines = STANDING_LINES + linesOf([CONTENT_POLICY, ...Object.entries(headers)]);
  }

  send(response: LeanResponse): void {
    response.fixedHeaderLines = this.#headerLines;
    response.statusCode = this.#status;
    response.setHeader('X-Request-Id', requestIdOf(response.req));
    response.setHeader('Content-Length', this.#length);
    response.end(this.#body);
  }
}
