import { errorBody } from '../errors/error-body.js';
import type { HttpRefusal } from '../errors/http-refusal.js';
import type { LeanResponse } from './lean-response.js';
import { requestIdOf } from './request-id.js';
import { STANDING_HEADERS } from './standing-headers.js';

/** A refusal that is written once and sent many times: saying no must cost next to nothing. */
export class PreparedRefusal {
  readonly #status: number;
  readonly #body: string;
  readonly #lines: readonly string[];

  constructor(refusal: HttpRefusal) {
    const { contentType, body } = errorBody(refusal, false, '');
    this.#status = refusal.status;
    this.#body = body;
    this.#lines = [
      ...STANDING_HEADERS,
      ...Object.entries(refusal.headers),
      ['Content-Type', contentType],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Cache-Control', 'no-store'],
    ].flat();
  }

  send(response: LeanResponse): void {
    const lines = ['X-Request-Id', requestIdOf(response.req), ...this.#lines];
    response.sendPrepared(this.#status, lines, this.#body);
  }
}
