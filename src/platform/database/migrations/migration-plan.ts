import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { JoiningDataSource } from '../data-source.js';
import { repeatableOf } from '../transactions/retries.js';
import type { Migrator } from './migrator.js';

/**
 * The statements that a migration would run. Nothing is changed: only what it reads is asked for, so one that reads what another
 * makes can be planned only after that.
 */
export function statementsOf(
  source: JoiningDataSource,
  migration: MigrationInterface,
  direction: 'up' | 'down',
): Promise<string[]> {
  return source.beforeOpen(async () => {
    const runner = source.createQueryRunner();
    const statements: string[] = [];
    const read = runner.query.bind(runner);
    const record = (text: string, values?: unknown[], structured?: boolean) => {
      if (repeatableOf(text) === 'always') return read(text, values, structured as never);
      statements.push(textOf(text, values));
      return Promise.resolve([]);
    };
    runner.query = record as QueryRunner['query'];
    try {
      await migration[direction](runner);
    } finally {
      await runner.release();
    }
    return statements;
  });
}

export interface MigrationPlan {
  readonly name: string;
  readonly statements: readonly string[];
}

/** What `migrate` would run, beside the rows in which it notes what it has applied. */
export async function plansOf(source: JoiningDataSource, migrator: Migrator): Promise<MigrationPlan[]> {
  const plans: MigrationPlan[] = [];
  for (const { name, migration } of await migrator.missing())
    plans.push({ name, statements: await statementsOf(source, migration, 'up') });
  return plans;
}

export const textOfPlan = ({ name, statements }: MigrationPlan): string =>
  [`-- ${name}`, ...statements.map((statement) => `${statement};`)].join('\n');

/** On as few columns as it was written on, with what is bound behind it. */
function textOf(text: string, values: unknown[] = []): string {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const statement = lines.join('\n  ').replace(/\n {2}\)/, '\n)');
  return values.length === 0 ? statement : `${statement} /* ${values.map(String).join(', ')} */`;
}
