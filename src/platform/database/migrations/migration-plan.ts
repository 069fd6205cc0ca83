import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { JoiningDataSource } from '../data-source.js';
import { repeatableOf } from '../transactions/retries.js';
import type { Migrator } from './migrator.js';

/**
 * The statements that a migration would run. Nothing is changed and only its reads are executed, so a migration that reads what
 * an earlier one creates can be planned only after that one has run.
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

/** What `migrate` would run, apart from recording the migrations as applied. */
export async function plansOf(source: JoiningDataSource, migrator: Migrator): Promise<MigrationPlan[]> {
  const plans: MigrationPlan[] = [];
  for (const { name, migration } of await migrator.missing())
    plans.push({ name, statements: await statementsOf(source, migration, 'up') });
  return plans;
}

export const textOfPlan = ({ name, statements }: MigrationPlan): string =>
  [`-- ${name}`, ...statements.map((statement) => `${statement};`)].join('\n');

/** Removes the indentation of the source; appends bound values as a comment. */
function textOf(text: string, values: unknown[] = []): string {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const statement = lines.join('\n  ').replace(/\n {2}\)/, '\n)');
  return values.length === 0 ? statement : `${statement} /* ${values.map(String).join(', ')} */`;
}
