import { Command } from 'commander';
import type { RunInApp } from '../../../platform/cli/run-in-app.js';
import { Settings } from '../../../platform/config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { KeyRing } from '../../application/key-ring.js';

/** `petstore keys`: API keys, for operators. */
export function keysCommand(run: RunInApp, print: (line: string) => void): Command {
  const keys = new Command('keys').description('Manages API keys.');

  keys
    .command('issue')
    .description('Issues a key and prints its secret, this once.')
    .requiredOption('--name <name>', 'who the key is for')
    .action(async ({ name }: { name: string }) => {
      const { secret } = await run(async (app) => {
        await app.get(Database).open();
        return app.get(KeyRing).issue(name, app.get(Settings).production ? 'live' : 'test');
      });
      print(secret);
    });
  return keys;
}
