import { Command } from 'commander';
import { OutboxRepository } from '../../events/outbox-repository.js';
import type { CommandContext } from './command-context.js';

/** `petstore events`: operators see and drop the messages of the outbox. */
export function eventsCommand({ runWithDatabase, print }: CommandContext): Command {
  const events = new Command('events').description(
    'Lists and deletes events that wait for their subscribers.',
  );

  events
    .command('status')
    .description('Lists the subscribers with waiting events: how many wait, since when, and the last error.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const backlog = await runWithDatabase((app) => app.get(OutboxRepository).backlog());
      if (json) return print(JSON.stringify(backlog));
      if (backlog.length === 0) print('every event is delivered');
      for (const { subscriber, waiting, since, failing, problem } of backlog) {
        const failed = problem === null ? '' : `, failing on ${failing}: ${problem}`;
        print(`${subscriber}  ${waiting} waiting since ${new Date(since).toISOString()}${failed}`);
      }
    });

  events
    .command('drop')
    .description(
      'Deletes all events that wait for a subscriber, and does not ask. Use it for a subscriber that was removed from the code.',
    )
    .argument('<subscriber>', 'the name that "events status" shows')
    .option('--json', 'print JSON')
    .action(async (subscriber: string, { json }: { json?: boolean }) => {
      const dropped = await runWithDatabase((app) => app.get(OutboxRepository).drop(subscriber));
      if (json) return print(JSON.stringify({ subscriber, dropped }));
      print(`dropped ${dropped} ${dropped === 1 ? 'event' : 'events'} for ${subscriber}`);
    });
  return events;
}
