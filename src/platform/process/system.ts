import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';
import { RandomSource } from '../../kernel/random-source.js';

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

export class SystemRandomSource extends RandomSource {
  override bytes(count: number): Uint8Array {
    return randomBytes(count);
  }
}
