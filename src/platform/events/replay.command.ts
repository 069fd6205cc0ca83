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

class NotReplayable extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'not_replayable';

  constructor(subscriber: string, types: readonly string[]) {
    super(`"${subscriber}" subscribes to no event that can be replayed: ${types.join(', ')}.`);
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
      'Publishes existing things to a subscriber, as events that happen now. Live events go on meanwhile.',
    )
    .requiredOption('--subscriber <name>', 'whom to publish to')
    .option(
      '--kind <types...>',
      'the types of events to publish, such as PetAdded; all that can be replayed if left out',
    )
    .addOption(
      // The help prints defaults as JSON, which has no bigint.
      new Option('--from <id>', 'the smallest id to publish').argParser(readFrom).default(1n, '1'),
    )
    .addOption(
      new Option('--rate <rate>', 'how many to publish at most')
        .argParser(readRate)
        .default(DEFAULT_RATE, formatRate(DEFAULT_RATE)),
    )
    .option('--json', 'print JSON')
    .addOption(new TimeoutOption('none'))
    .action(async ({ subscriber, kind, from, rate, json }: Options) => {
      const replayed = new Map<string, ReplayProgress>();
      try {
        await runWithDatabase(async (app) => {
          const outbox = app.get(Outbox, { strict: false });
          const types = typesToReplay(outbox, subscriber, kind);
          for await (const progress of outbox.replay(subscriber, types, from, rate))
            replayed.set(progress.type, progress);
        });
      } catch (error) {
        // What was published before the failure stays published.
        if (!json)
          for (const { type, last } of replayed.values())
            terminal.stderr.write(`${type}: published up to ${last}\n`);
        throw error;
      }
      if (json) {
        const counts = [...replayed.values()].map(({ type, published }) => [type, published]);
        return print(JSON.stringify({ subscriber, published: Object.fromEntries(counts) as object }));
      }
      for (const { type, published } of replayed.values())
        print(`${type}  ${published} published to ${subscriber}`);
    });
}

/** @throws NoSuchSubscriber @throws NotReplayable */
function typesToReplay(outbox: Outbox, subscriber: string, kinds: readonly string[] | undefined): string[] {
  const { subscribed, replayable } = outbox.typesOf(subscriber);
  if (subscribed.length === 0) throw new NoSuchSubscriber(subscriber);
  const missing = kinds?.filter((kind) => !replayable.includes(kind)) ?? [];
  if (missing.length > 0) throw new NotReplayable(subscriber, missing);
  if (replayable.length === 0) throw new NotReplayable(subscriber, subscribed);
  return kinds ? replayable.filter((type) => kinds.includes(type)) : replayable;
}

function readFrom(text: string): Int64 {
  const id = Int64.parse(text);
  if (id === undefined || id < 1n) throw new InvalidArgumentError('It must be an id.');
  return id;
}
