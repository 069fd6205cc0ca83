import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { requestRejected } from '../../observability/requests.js';
import { ApiException } from '../errors/api-exception.js';

/** In bytes. Parsed bodies take more memory than the bodies themselves, and the rest of the service needs memory, too. */
export const quarterOfHeap = (): number => Math.floor(getHeapStatistics().heap_size_limit / 4);

/** Counts the bytes of request bodies that the process holds, at most `limit`. */
export class BodyMemory {
  #held = 0;

  constructor(readonly limit: number) {}

  /** In bytes. */
  get held(): number {
    return this.#held;
  }

  /** Changes the number of held bytes. @throws ApiException 503 if more bytes do not fit, and then nothing changes */
  change(bytes: number): void {
    if (bytes > 0 && this.#held + bytes > this.limit) {
      requestRejected.publish('overloaded');
      throw new ApiException(
        'overloaded',
        'The service is at its limit of bytes of request bodies. Try again after the time in `Retry-After`.',
      );
    }
    this.#held += bytes;
  }

  /**
   * Gives `work` a share for the body of one request. The share is freed when `work` fails, or when both `work` and the response have
   * ended, because an inflation goes on after its client has left.
   */
  async share<Result>(
    response: ServerResponse,
    work: (share: BodyShare) => Promise<Result>,
  ): Promise<Result> {
    const share = new BodyShare(this);
    const working = work(share);
    const free = () => share.hold(0);
    response.once('close', () => void working.then(free, free));
    try {
      return await working;
    } catch (error) {
      free();
      throw error;
    }
  }
}

/** The bytes that one request holds. */
export class BodyShare {
  #bytes = 0;

  constructor(private readonly memory: BodyMemory) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Holds `bytes` from now on, more or less than before. @throws ApiException 503 if they do not fit */
  hold(bytes: number): void {
    this.memory.change(bytes - this.#bytes);
    this.#bytes = bytes;
  }
}
