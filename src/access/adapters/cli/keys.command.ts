import { hostname, userInfo } from 'node:os';
import { Command } from 'commander';
import type { Int64 } from '../../../kernel/int64.js';
import type { Rate } from '../../../kernel/rate.js';
import type { CommandContext } from '../../../platform/ops/cli/command-context.js';
import { readDuration, readRate } from '../../../platform/ops/cli/options.js';
import { Settings } from '../../../platform/config/settings.js';
import { DatabaseClock } from '../../../platform/database/database-clock.js';
import { isFull } from '../../../platform/database/errors.js';
import { ApiKeyService, type IssuedKey } from '../../application/api-key-service.js';
import type { KeyEnvironment } from '../../domain/key-secret.js';
import type { Scope } from '../../domain/api-key.js';
import { type End, readEnd, readId, readName, readScopes } from './key-options.js';
import { pageOf, tableOf, viewOf } from './key-view.js';

interface Json {
  readonly json?: true;
}

interface Context {
  readonly kind: KeyEnvironment;
  /** By the clock of the database, in ms since 1970. */
  readonly now: number;
}

interface IssueOptions extends Json {
  readonly name: string;
  readonly scopes?: Scope[];
  readonly expires?: End;
  readonly rate?: Rate;
}

const EXAMPLES = `
Examples:
  petstore keys issue --name "shop window" --scopes pets:read --expires 90d --rate 100/s
  petstore keys list
  petstore keys rotate 7 --overlap 24h
  petstore keys revoke 7`;

/** `petstore keys`: the life of API keys, for operators. */
export function keysCommand({ runWithDatabase, print, terminal }: CommandContext): Command {
  const keys = new Command('keys')
    .description('Issues, shows, rotates and revokes API keys.')
    .addHelpText('after', EXAMPLES);
  const withApiKeys = <Result>(work: (apiKeys: ApiKeyService, context: Context) => Promise<Result>) =>
    runWithDatabase((app) => {
      const kind = app.get(Settings).production ? 'live' : 'test';
      return work(app.get(ApiKeyService), { kind, now: app.get(DatabaseClock).now() });
    });
  const printIssued = ({ key, secret }: IssuedKey, now: number, json?: true) => {
    const view = viewOf(key, now);
    if (json) print(JSON.stringify({ ...view, secret }));
    else print(`${tableOf([view])}\n\n${secret}\n\nThis is the only time that the key is shown.`);
  };
  const command = (name: string, description: string) =>
    keys.command(name).description(description).option('--json', 'print JSON');

  command('issue', 'Issues a key and prints its secret, only once.')
    .requiredOption('--name <name>', 'who the key is for', readName)
    .option('--scopes <list>', 'what it may do, separated by commas; all if left out', readScopes)
    .option(
      '--expires <when>',
      'when it ends: a day such as 2027-01-01, or 90d, 24h; never if left out',
      (text) => readEnd(text, Date.now()),
    )
    .option(
      '--rate <rate>',
      "how often it may be used, such as 100/s; the service's RATE_LIMIT if left out",
      readRate,
    )
    .action(({ name, scopes, expires, rate, json }: IssueOptions) =>
      withApiKeys(async (apiKeys, { kind, now }) => {
        const expiresAt = expires && ('at' in expires ? expires.at : now + expires.in);
        const terms = { name, scopes, expiresAt, rate };
        printIssued(await apiKeys.issue(terms, kind, operator()), now, json);
      }),
    );

  command('list', 'Lists all keys.').action(async ({ json }: Json) => {
    const views = await withApiKeys(async (apiKeys, { now }) =>
      (await apiKeys.list()).map((key) => viewOf(key, now)),
    );
    print(json ? JSON.stringify(views) : tableOf(views));
  });

  command('show', 'Shows a key and its history.')
    .argument('<id>', 'the id of the key', readId)
    .action(async (id: Int64, { json }: Json) => {
      const [view, events] = await withApiKeys(
        async (apiKeys, { now }) =>
          [viewOf(await apiKeys.get(id), now), await apiKeys.historyOf(id)] as const,
      );
      const history = events.map(({ act, actor, at }) => ({ act, actor, at: new Date(at).toISOString() }));
      print(json ? JSON.stringify({ ...view, history }) : pageOf(view, events));
    });

  command('rotate', 'Issues a key with the terms of another, which stays valid for a while.')
    .argument('<id>', 'the id of the key to replace', readId)
    .option('--overlap <duration>', 'how long the old key lives on', readDuration, readDuration('24h'))
    .action((id: Int64, { overlap, json }: Json & { overlap: number }) =>
      withApiKeys(async (apiKeys, { kind, now }) =>
        printIssued(await apiKeys.rotate(id, overlap, kind, operator()), now, json),
      ),
    );

  command('revoke', 'Revokes a key: on every replica within 5 seconds.')
    .argument('<id>', 'the id of the key', readId)
    .action(async (id: Int64, { json }: Json) => {
      const { view, isRecorded } = await withApiKeys((apiKeys, { now }) => revoke(apiKeys, id, now));
      if (json) return print(JSON.stringify(isRecorded ? view : { ...view, unrecorded: true }));
      print(tableOf([view]));
      if (!isRecorded) terminal.stderr.write(`${UNRECORDED}\n`);
    });
  return keys;
}

const UNRECORDED =
  'The database is full: the key is revoked, but its history does not say so. ' +
  'Free some space, then revoke it again, which adds the line.';

/** Revokes a key. On a full disk it still works as long as a row can be updated: then only the history entry is missing. */
async function revoke(apiKeys: ApiKeyService, id: Int64, now: number) {
  try {
    const key = await apiKeys.revoke(id, operator());
    return { view: viewOf(key, now), isRecorded: true };
  } catch (error) {
    if (!isFull(error)) throw error;
    return { view: viewOf(await apiKeys.revokeUnrecorded(id), now), isRecorded: false };
  }
}

/** The actor in the history: the user of this machine. */
function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // In a container the user often has no name.
    return `user ${process.getuid?.()}@${hostname()}`;
  }
}
