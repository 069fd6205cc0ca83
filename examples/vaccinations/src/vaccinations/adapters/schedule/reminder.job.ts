import { Injectable } from '@nestjs/common';
import { Job } from '../../../platform/jobs/job.decorator.js';
import type { JobRun } from '../../../platform/jobs/job-run.js';
import { Reminders } from '../../application/reminders.js';

/** Reminds every morning. An interrupted run has stored complete steps, and the next one continues. */
@Injectable()
export class ReminderJob {
  constructor(private readonly reminders: Reminders) {}

  @Job('vaccinations.reminders', '0 6 * * *')
  async remind(run: JobRun): Promise<void> {
    let more = true;
    while (more) more = await run.step(() => this.reminders.remindSome(100));
  }
}
