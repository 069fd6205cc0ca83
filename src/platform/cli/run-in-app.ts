import type { INestApplicationContext } from '@nestjs/common';

/**
 * Runs one piece of work in the assembled application, without its server: connects to the database, works, closes.
 * Given to each module's commands, because only `cli.ts` knows how the application is put together.
 */
export type RunInApp = <Result>(work: (app: INestApplicationContext) => Promise<Result>) => Promise<Result>;
