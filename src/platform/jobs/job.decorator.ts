import { SetMetadata } from '@nestjs/common';
import { CronTime } from 'cron';

export interface JobOptions {
  readonly name: string;
  readonly schedule: CronTime;
}

export const JOB = Symbol('job');

const NAME = /^[a-z][a-z0-9.-]{0,63}$/;

/**
 * Calls a method of a provider at the times of a cron expression, in UTC: once for each time, on one replica; on another one if
 * that dies, and later if none was running. (`@Cron` of Nest calls its method on every replica.) The method gets a `JobRun`.
 * The name is stored, and begins with the name of the module, such as `vaccinations.reminders`.
 */
export function Job(name: string, cron: string): MethodDecorator {
  if (!NAME.test(name))
    throw new Error(`"${name}" is no name for a job: take small letters, digits, dots and hyphens.`);
  return SetMetadata(JOB, { name, schedule: new CronTime(cron, 'UTC') } satisfies JobOptions);
}

/**
 * The next time of a schedule after `now`; both in milliseconds since 1970. The zone is named once more, because here cron takes
 * that of the process, not that of the schedule.
 */
export const timeAfter = ({ schedule }: JobOptions, now: number): number =>
  schedule.getNextDateFrom(new Date(now), 'UTC').toMillis();
