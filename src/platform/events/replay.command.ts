import { Command, InvalidArgumentError, Option } from 'commander';
import { DomainError } from '../../kernel/domain-error.js';
import { Int64 } from '../../kernel/int64.js';
import { formatRate, type Rate } from '../../kernel/rate.js';
import type { CommandContext } from '../cli/command-context.js';
import { TimeoutOption } from '../cli/deadline.js';
import { readRate } from '../cli/options.js';
import { Outbox, type ReplayProgress } from './outbox.js';

/** Hardly slows requests down, even on SQLite with its single writer (docs/decisions/0104-replay-rate.md). */
const DEFAULT_RATE: Rate = { limit: 500, seconds: 1 };

class NoSuchSubscriber extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'no_such_subscriber';

  constructor(subscriber: string) {
    super(`No module of this service subscribes as "${subscriber}".`);
  }
}

class NotRetold extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'not_retold';

  constructor(subscriber: string, types: readonly string[]) {
    super(`"${subscriber}" hears nothing that can be told again: ${types.join(', ')}.`);
  }
}

interface Options {
  readonly subscriber: string;
  readonly kind?: string[];
  readonly from: Int64;
  readonly rate: Rate;
  readonly json?: boolean;
}

/** `petstore events replay`: publishes existing things to a new subscriber. */
export function replayCommand({ runWithDatabase, print, terminal }: CommandContext): Command {
  return new Command('replay')
    .description(
      'Tells a subscriber of what is there already, as events that happen now. Live events go on meanwhile.',
    )
    .requiredOption('--subscriber <name>', 'whom to tell')
    .option(
      '--kind <types...>',
      'the types of events to tell, such as PetAdded; all that can be told if left out',
    )
    .addOption(
      // The help prints defaults as JSON, which has no bigint.
      new Option('--from <id>', 'the smallest id to tell of').argParser(readFrom).default(1n, '1'),
    )
    .addOption(
      new Option('--rate <rate>', 'how many to tell of at most')
        .argParser(readRate)
        .default(DEFAULT_RATE, formatRate(DEFAULT_RATE)),
    )
    .option('--json', 'print JSON')
    .addOption(new TimeoutOption('none'))
    .action(async ({ subscriber, kind, from, rate, json }: Options) => {
      const told = new Map<string, ReplayProgress>();
      try {
        await runWithDatabase(async (app) => {
          const outbox = app.get(Outbox, { strict: false });
          const types = typesToTell(outbox, subscriber, kind);
          for await (const progress of outbox.replay(subscriber, types, from, rate))
            told.set(progress.type, progress);
        });
      } catch (error) {
        // What was published before the failure stays published.
        if (!json)
          for (const { type, last } of told.values()) terminal.stderr.write(`${type}: told up to ${last}\n`);
        throw error;
      }
      if (json) {
        const counts = [...told.values()].map(({ type, told: count }) => [type, count]);
        return print(JSON.stringify({ subscriber, told: Object.fromEntries(counts) as object }));
      }
      for (const { type, told: count } of told.values()) print(`${type}  ${count} told to ${subscriber}`);
    });
}

/** @throws NoSuchSubscriber @throws NotRetold */
function typesToTell(outbox: Outbox, subscriber: string, kinds: readonly string[] | undefined): string[] {
  const { heard, retold } = outbox.typesOf(subscriber);
  if (heard.length === 0) throw new NoSuchSubscriber(subscriber);
  const missing = kinds?.filter((kind) => !retold.includes(kind)) ?? [];
  if (missing.length > 0) throw new NotRetold(subscriber, missing);
  if (retold.length === 0) throw new NotRetold(subscriber, heard);
  return kinds ? retold.filter((type) => kinds.includes(type)) : retold;
}

function readFrom(text: string): Int64 {
  const id = Int64.parse(text);
  if (id === undefined || id < 1n) throw new InvalidArgumentError('It must be an id.');
  return id;
}
