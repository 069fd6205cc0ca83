import { Injectable } from '@nestjs/common';
import { Job } from '../../../platform/jobs/job.decorator.js';
import type { JobRun } from '../../../platform/jobs/job-run.js';
import { Reminders } from '../../application/reminders.js';

/** Reminds every morning. A run that is cut off has stored whole steps, and the next one does the rest. */
@Injectable()
export class ReminderJob {
  constructor(private readonly reminders: Reminders) {}

  @Job('vaccinations.reminders', '0 6 * * *')
  async remind(run: JobRun): Promise<void> {
    let more = true;
    while (more) more = await run.step(() => this.reminders.remindSome(100));
  }
}
