import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';
import { AlreadyReported } from '../cli/errors.js';
import { JoiningDataSource } from './data-source.js';
import { type Loss, lossesOf } from './migrations/losses.js';
import { statementsOf } from './migrations/migration-plan.js';
import { Migrator, SchemaConflict } from './migrations/migrator.js';
import { Replicas } from './replicas/replicas.js';

interface Reverted {
  readonly reverted: string;
  readonly lost: readonly Loss[];
}

interface Options {
  readonly yes: boolean | undefined;
  readonly json: boolean | undefined;
}

/** Statements that change rows but neither tables nor columns. */
const CHANGES_ROWS = /^(?:DELETE|INSERT|REPLACE|TRUNCATE|UPDATE)\b/i;

/** Reverts the newest migration after showing what will be lost and asking. @returns undefined if none is applied */
export async function revert(
  app: INestApplicationContext,
  { confirm, terminal: { stderr } }: CommandContext,
  command: Command,
  { yes, json }: Options,
): Promise<Reverted | undefined> {
  const [migrator, source, replicas] = [app.get(Migrator), app.get(JoiningDataSource), app.get(Replicas)];
  const newest = await migrator.newest();
  if (!newest) return undefined;
  const { name, migration } = newest;
  const check = () => source.beforeOpen(() => refuseIfNeeded(replicas, name));
  await check();
  const statements = await statementsOf(source, migration, 'down');
  const lost = await lossesOf(source, statements);
  if (!json) stderr.write(`${describe(name, lost, statements)}\n`);
  if (!yes) {
    const nobody =
      'error: there is no terminal to ask on: --yes reverts without asking. Nothing was changed.';
    if (!stderr.isTTY) command.error(nobody, { exitCode: 2 });
    if (!(await confirm('Revert it?'))) {
      stderr.write('Nothing was changed.\n');
      throw new AlreadyReported();
    }
  }
  await migrator.revert(name, check);
  return { reverted: name, lost };
}

/** @throws SchemaConflict while replicas need the migration */
async function refuseIfNeeded(replicas: Replicas, migration: string): Promise<void> {
  const needing = await replicas.needing(migration);
  if (needing.length === 0) return;
  const places = needing.map(({ place }) => place).join(', ');
  throw new SchemaConflict(
    'replicas_running',
    `${migration} is needed by ${places}. Stop them, or put the older version in their place, then run this again. ` +
      'One that was killed counts as running for 30 s.',
  );
}

function describe(name: string, lost: readonly Loss[], statements: readonly string[]): string {
  const changes = statements.filter((statement) => CHANGES_ROWS.test(statement)).map((text) => `  ${text};`);
  const losses = lost.map(({ table, column, rows }) => {
    const count =
      rows === undefined ? 'more rows than can be counted in time' : `${rows} ${rows === 1 ? 'row' : 'rows'}`;
    return column === undefined
      ? `  table ${table}: ${count}`
      : `  column ${column} of ${table}: a value in ${count}`;
  });
  return [
    `${name} is the newest migration.`,
    losses.length === 0 ? 'Reverting it loses no table and no column.' : 'Reverting it loses:',
    ...losses,
    ...(changes.length === 0 ? [] : ['Rows are changed by:', ...changes]),
  ].join('\n');
}
