import { SetMetadata } from '@nestjs/common';
import { CronTime } from 'cron';

export interface JobOptions {
  readonly name: string;
  readonly schedule: CronTime;
}

export const JOB = Symbol('job');

const NAME = /^[a-z][a-z0-9.-]{0,63}$/;

/**
 * Calls a method of a provider at the times of a cron expression, in UTC: on one replica at a time, once for each time, on the
 * next replica if one dies at it, later if all were away. `@Cron` of Nest calls its method on every replica. The method gets a
 * `JobRun`. The name stands in storage: it begins with that of the module, such as `vaccinations.reminders`.
 */
export function Job(name: string, cron: string): MethodDecorator {
  if (!NAME.test(name))
    throw new Error(`"${name}" is no name for a job: take small letters, digits, dots and hyphens.`);
  return SetMetadata(JOB, { name, schedule: new CronTime(cron, 'UTC') } satisfies JobOptions);
}

/** The first time of a schedule after `now`; both in milliseconds since 1970. */
export const timeAfter = ({ schedule }: JobOptions, now: number): number =>
  schedule.getNextDateFrom(new Date(now)).toMillis();
