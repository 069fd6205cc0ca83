import { Inject, Injectable } from '@nestjs/common';
import { DoctorCheck, type Finding, ok, problem } from '../../../platform/ops/index.js';
import { RateCounter } from '../../ports/rate-counter.js';
import { MemoryRateCounter } from './memory-rate-counter.js';
import type { RedisRateCounter } from './redis-rate-counter.js';

/** Counts in Redis once, because Redis may respond but reject writes. */
@Injectable()
export class RedisCheck extends DoctorCheck {
  readonly name = 'redis';

  constructor(@Inject(RateCounter) private readonly counter: MemoryRateCounter | RedisRateCounter) {
    super();
  }

  override async run(): Promise<Finding[]> {
    if (this.counter instanceof MemoryRateCounter) return [];
    const reason = await this.counter.probe();
    if (reason === undefined) return [ok('Redis counts.')];
    const what = `Redis does not count (${reason}): each process counts rates for itself.`;
    const remedy = `See that it runs, is reached, accepts writes and responds within ${this.counter.countTimeout} ms, and look at REDIS_URL.`;
    return [problem(what, remedy)];
  }
}
