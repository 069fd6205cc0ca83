import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { ApiException } from '../errors/api-exception.js';
import type { InFlight } from './in-flight.js';
import type { LeanResponse } from './lean-response.js';
import { PrerenderedError } from './early-errors.js';
import { requestRejected } from './server-channels.js';

/** Those who watch over the process are always answered: a busy process must not be taken for a dead one. */
const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;

/** Lets only so many requests in at a time. The others are refused at once, while those inside go on at full speed. */
export class Admission {
  readonly #refusal = new PrerenderedError(
    new ApiException(
      'overloaded',
      'The service is at work on as many requests as it takes. Try again after the time in Retry-After.',
    ),
  );
  readonly #rejected = new LogCounter((count) =>
    new Logger('Admission').warn(`overloaded: refused ${count}, with ${this.most} in flight`),
  );

  constructor(
    private readonly inFlight: InFlight,
    private readonly most: number,
  ) {}

  /** Refuses a request if there are enough. @returns whether it did */
  refuses(response: LeanResponse): boolean {
    if (this.inFlight.count < this.most || PROBE.test(response.req.url!)) return false;
    this.#refusal.send(response);
    this.#rejected.add();
    requestRejected.publish('overloaded');
    return true;
  }

  /** The server has closed. */
  end(): void {
    this.#rejected.end();
  }
}
