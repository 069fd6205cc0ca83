import { Command, InvalidArgumentError } from 'commander';
import { Int64 } from '../../../kernel/int64.js';
import { OutboxRepository } from '../../events/outbox-repository.js';
import { writeJson } from '../../json/write-json.js';
import type { CommandContext } from './command-context.js';
import { tableOf } from './output.js';

/** How many events are listed at once. */
const MAX_LISTED = 100;

/** `petstore events`: operators see, send again and drop the messages of the outbox. */
export function eventsCommand({ runWithDatabase, print }: CommandContext): Command {
  const events = new Command('events').description(
    'Lists, sends again and deletes events that wait for their subscribers or were set aside.',
  );
  const inOutbox = <Result>(work: (outbox: OutboxRepository) => Promise<Result>) =>
    runWithDatabase((app) => work(app.get(OutboxRepository)));

  events
    .command('status')
    .description(
      'Lists the subscribers with events: how many wait, since when, the last error, and how many are set aside.',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const backlog = await inOutbox((outbox) => outbox.backlog());
      if (json) return print(JSON.stringify(backlog));
      if (backlog.length === 0) print('every event is delivered');
      for (const { subscriber, waiting, since, failing, problem, setAside } of backlog) {
        const begun = since === null ? '' : ` since ${timeOf(since)}`;
        const failed = problem === null ? '' : `, failing on ${failing}: ${problem}`;
        const aside = setAside === 0 ? '' : `, ${setAside} set aside`;
        print(`${subscriber}  ${waiting} waiting${begun}${failed}${aside}`);
      }
    });

  events
    .command('list')
    .description(
      `Lists events that were set aside because their last try failed, oldest first, and at most ${MAX_LISTED}.`,
    )
    .argument('<subscriber>', 'the name that "events status" shows')
    .option('--json', 'print JSON')
    .action(async (subscriber: string, { json }: { json?: boolean }) => {
      const found = await inOutbox((outbox) => outbox.setAside(subscriber, MAX_LISTED));
      if (json) {
        const shown = found.map(({ id, type, aggregate, recordedAt, setAsideAt, problem }) => ({
          id,
          type,
          aggregate,
          recordedAt: timeOf(recordedAt),
          setAsideAt: timeOf(setAsideAt!),
          problem,
        }));
        return print(writeJson(shown));
      }
      if (found.length === 0) return print(`no event for ${subscriber} is set aside`);
      const rows = found.map((event) => [
        `${event.id}`,
        event.type,
        event.aggregate,
        timeOf(event.setAsideAt!),
        event.problem ?? '',
      ]);
      print(tableOf([['id', 'event', 'entity', 'set aside', 'error'], ...rows]));
    });

  events
    .command('resend')
    .description(
      'Sends events that were set aside again, all of them if no id is given. They arrive after events that happened later.',
    )
    .argument('<subscriber>', 'the name that "events status" shows')
    .argument('[ids...]', 'the ids that "events list" shows', readIds)
    .option('--json', 'print JSON')
    .action(async (subscriber: string, ids: Int64[], { json }: { json?: boolean }) => {
      const resent = await inOutbox((outbox) => outbox.resend(subscriber, ids.length > 0 ? ids : undefined));
      if (json) return print(JSON.stringify({ subscriber, resent }));
      print(`${countOf(resent)} for ${subscriber} ${resent === 1 ? 'is' : 'are'} sent again`);
    });

  events
    .command('drop')
    .description(
      'Deletes all events of a subscriber, and does not ask. Use it for a subscriber that was removed from the code.',
    )
    .argument('<subscriber>', 'the name that "events status" shows')
    .option('--set-aside', 'delete only the events that were set aside')
    .option('--json', 'print JSON')
    .action(async (subscriber: string, { setAside, json }: { setAside?: boolean; json?: boolean }) => {
      const dropped = await inOutbox((outbox) => outbox.drop(subscriber, setAside));
      if (json) return print(JSON.stringify({ subscriber, dropped }));
      print(`dropped ${countOf(dropped)} for ${subscriber}`);
    });
  return events;
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const countOf = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`;

/** Commander calls it for each id. */
function readIds(text: string, ids: readonly Int64[] = []): Int64[] {
  const id = Int64.parse(text);
  if (id === undefined) throw new InvalidArgumentError('The id of an event is a whole number.');
  return [...ids, id];
}
