import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Check, type CheckResult, ok, warning } from '../doctor/check.js';
import { JobRepository, type StoredJob } from './job-repository.js';
import { Jobs } from './jobs.js';

/** How late a job may start before it is a problem. */
const MAX_DELAY_MS = 600_000;

/** Reports the scheduled jobs: when each ran last and for how long, when it runs next, and its last failure. */
@Injectable()
export class JobsCheck extends Check {
  readonly name = 'jobs';
  readonly needs = 'tables';

  constructor(
    private readonly jobs: Jobs,
    private readonly stored: JobRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    const { names } = this.jobs;
    const stored = names.length === 0 ? [] : await this.stored.find(names);
    return names.map((name) => {
      const job = stored.find((one) => one.name === name);
      return job ? this.#resultOf(job) : ok(`"${name}" has not been due since it is there.`);
    });
  }

  #resultOf(job: StoredJob): CheckResult {
    const { name, dueAt, lapsesAt, begunAt, endedAt, failedAt } = job;
    const now = this.clock.now();
    const failed = failedAt ? ` It failed last at ${at(failedAt)}: ${job.problem}.` : '';
    const ran = endedAt
      ? `It ran last until ${at(endedAt)}, for ${job.duration} ms.`
      : 'It has not finished yet.';
    if (lapsesAt > now) return ok(`"${name}" is being run since ${at(begunAt!)}. ${ran}${failed}`);
    if (now - dueAt > MAX_DELAY_MS)
      return warning(
        `"${name}" is due since ${at(dueAt)}, and nobody runs it. ${ran}${failed}`,
        'Check that the service runs.',
      );
    const next = `It runs next at ${at(dueAt)}.`;
    return job.failures > 0
      ? warning(`"${name}" fails. ${next}${failed}`, 'See the error, and the log (context Jobs).')
      : ok(`"${name}": ${ran} ${next}${failed}`);
  }
}

const at = (time: number) => new Date(time).toISOString();
