import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { errorResponse } from '../errors/api-exception.js';
import { errorBody } from '../errors/write-error.js';
import { requestRejected } from '../http-channels.js';
import type { InFlight } from './in-flight.js';
import type { LeanResponse } from './lean-response.js';
import { requestIdOf } from './request-line.js';
import { CONTENT_SECURITY_POLICY, linesOf, SECURITY_HEADER_LINES } from './security-headers.js';

/** Probes are always answered: a busy process must not be taken for a dead one. */
const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;

const OVERLOADED = errorResponse(
  'overloaded',
  'The service is at work on as many requests as it takes. Try again after the time in Retry-After.',
);

const { contentType, body } = errorBody(OVERLOADED);
const CONTENT_LENGTH = Buffer.byteLength(body);
/** Written once and sent many times: under overload a rejection must cost next to nothing. */
const HEADER_LINES =
  SECURITY_HEADER_LINES +
  linesOf([
    CONTENT_SECURITY_POLICY,
    ...Object.entries({ ...OVERLOADED.headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' }),
  ]);

/** Lets only so many requests in at a time. The others are rejected at once, while those inside go on at full speed. */
export class Admission {
  /** To be ended when the server has closed. */
  readonly rejected = new LogCounter((count) =>
    new Logger('Admission').warn(`overloaded: refused ${count}, with ${this.maxInFlight} in flight`),
  );

  constructor(
    private readonly inFlight: InFlight,
    private readonly maxInFlight: number,
  ) {}

  /** Rejects a request if there are enough. @returns whether it did */
  rejects(response: LeanResponse): boolean {
    if (this.inFlight.count < this.maxInFlight || PROBE.test(response.req.url!)) return false;
    response.fixedHeaderLines = HEADER_LINES;
    response.statusCode = OVERLOADED.status;
    response.setHeader('X-Request-Id', requestIdOf(response.req));
    response.setHeader('Content-Length', CONTENT_LENGTH);
    response.end(body);
    this.rejected.add();
    requestRejected.publish('overloaded');
    return true;
  }
}
