import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';
import { TimeoutOption } from '../cli/deadline.js';
import { OutboxRepository } from './outbox-repository.js';
import { replayCommand } from './replay.command.js';

/** `petstore events`: the outbox, for operators. */
export function eventsCommand(context: CommandContext): Command {
  const { runWithDatabase, print } = context;
  const events = new Command('events').description(
    'Shows events that their subscribers have not taken yet, and tells new ones of what was before.',
  );

  events
    .command('status')
    .description('Lists each subscriber for whom events wait: how many, since when, and what it failed on.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const backlog = await runWithDatabase((app) => app.get(OutboxRepository).backlog());
      if (json) return print(JSON.stringify(backlog));
      if (backlog.length === 0) print('nothing waits, every event is delivered');
      for (const { subscriber, waiting, since, failing, problem } of backlog) {
        const failed = problem === null ? '' : `, failing on ${failing}: ${problem}`;
        print(`${subscriber}  ${waiting} waiting since ${new Date(since).toISOString()}${failed}`);
      }
    });

  events
    .command('drop')
    .description('Gives up every event that waits for a subscriber, for example one that was removed.')
    .argument('<subscriber>')
    .option('--json', 'print JSON')
    .addOption(new TimeoutOption('30s', 'petstore events status'))
    .action(async (subscriber: string, { json }: { json?: boolean }) => {
      const dropped = await runWithDatabase((app) => app.get(OutboxRepository).drop(subscriber));
      if (json) return print(JSON.stringify({ subscriber, dropped }));
      print(`dropped ${dropped} ${dropped === 1 ? 'event' : 'events'} for ${subscriber}`);
    });
  return events.addCommand(replayCommand(context));
}
