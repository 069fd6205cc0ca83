import { hostname, userInfo } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Int64, type Rate } from '../../../kernel/index.js';
import { printable } from '../../../platform/json/index.js';
import { type CommandContext, readDuration, readRate } from '../../../platform/ops/index.js';
import { Settings } from '../../../platform/config/index.js';
import { DatabaseClock, isFull } from '../../../platform/database/index.js';
import { ApiKeyService, type IssuedKey } from '../../application/api-key-service.js';
import type { Scope } from '../../domain/api-key.js';
import { pageOfKey, tableOfKeys, viewOfKey } from './key-view.js';

interface Json {
  readonly json?: true;
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

const UNRECORDED =
  'The disk of the database is full. The key is revoked, but its history lacks the entry. ' +
  'Free some space, then revoke the key again to add the entry.';

/** `petstore keys`: operators issue, list, rotate and revoke API keys. */
export function keysCommand({ runWithDatabase, print, terminal }: CommandContext): Command {
  const keys = new Command('keys')
    .description('Issues, shows, rotates and revokes API keys.')
    .addHelpText('after', EXAMPLES);
  const command = (name: string, description: string) =>
    keys.command(name).description(description).option('--json', 'print JSON');
  /** `now` is the time of the database's clock, in ms since 1970. */
  const withApiKeys = (work: (apiKeys: ApiKeyService, now: number, kind: 'live' | 'test') => Promise<void>) =>
    runWithDatabase((app) => {
      const kind = app.get(Settings).production ? 'live' : 'test';
      return work(app.get(ApiKeyService), app.get(DatabaseClock).now(), kind);
    });
  const printIssued = ({ key, secret }: IssuedKey, now: number, json?: true) => {
    const view = viewOfKey(key, now);
    if (json) print(JSON.stringify({ ...view, secret }));
    else print(`${tableOfKeys([view])}\n\n${secret}\n\nThis is the only time that the key is shown.`);
  };

  command('issue', 'Issues a key, and prints its secret once.')
    .requiredOption('--name <name>', 'the client that the key is for', readName)
    .option(
      '--scopes <list>',
      'the scopes of the key, separated by commas, such as pets:read,orders:read (default: no restriction)',
      readScopes,
    )
    .option(
      '--expires <when>',
      'when the key expires: a day such as 2027-01-01 (00:00 UTC), or a duration such as 90d or 24h (default: never)',
      (text) => readEnd(text, Date.now()),
    )
    .option(
      '--rate <rate>',
      'how many requests the key may send, such as 100/s, 600/m or 5000/h (default: RATE_LIMIT)',
      readRate,
    )
    .action(({ name, scopes, expires, rate, json }: IssueOptions) =>
      withApiKeys(async (apiKeys, now, kind) => {
        const expiresAt = expires && ('at' in expires ? expires.at : now + expires.in);
        const terms = { name, scopes, expiresAt, rate };
        printIssued(await apiKeys.issue(terms, kind, operator()), now, json);
      }),
    );

  command('list', 'Lists all keys.').action(({ json }: Json) =>
    withApiKeys(async (apiKeys, now) => {
      const views = (await apiKeys.list()).map((key) => viewOfKey(key, now));
      print(json ? JSON.stringify(views) : tableOfKeys(views));
    }),
  );

  command('show', 'Shows a key and its history.')
    .argument('<id>', 'the id of the key', readId)
    .action((id: Int64, { json }: Json) =>
      withApiKeys(async (apiKeys, now) => {
        const view = viewOfKey(await apiKeys.get(id), now);
        const events = await apiKeys.historyOf(id);
        const history = events.map(({ act, actor, at }) => ({ act, actor, at: new Date(at).toISOString() }));
        print(json ? JSON.stringify({ ...view, history }) : pageOfKey(view, events));
      }),
    );

  command(
    'rotate',
    'Issues a successor with the same name, scopes, rate and expiry. The old key stays valid for the overlap.',
  )
    .argument('<id>', 'the id of the key to replace', readId)
    .addOption(
      new Option('--overlap <duration>', 'how long the old key stays valid, such as 48h')
        .argParser(readDuration)
        .default(readDuration('24h'), '24h'),
    )
    .action((id: Int64, { overlap, json }: Json & { overlap: number }) =>
      withApiKeys(async (apiKeys, now, kind) =>
        printIssued(await apiKeys.rotate(id, overlap, kind, operator()), now, json),
      ),
    );

  command('revoke', 'Revokes a key. Every replica rejects it within 5 seconds.')
    .argument('<id>', 'the id of the key', readId)
    .action((id: Int64, { json }: Json) =>
      withApiKeys(async (apiKeys, now) => {
        let unrecorded: true | undefined;
        const key = await apiKeys.revoke(id, operator()).catch((error: unknown) => {
          if (!isFull(error)) throw error;
          // On a full disk MariaDB still updates the row of the key, but cannot insert a row into the history.
          unrecorded = true;
          return apiKeys.revoke(id);
        });
        const view = viewOfKey(key, now);
        print(json ? JSON.stringify({ ...view, unrecorded }) : tableOfKeys([view]));
        if (unrecorded && !json) terminal.stderr.write(`${UNRECORDED}\n`);
      }),
    );
  return keys;
}

/** Parsers of arguments. Each throws Commander's error for a text that it cannot parse. */
export function readId(text: string): Int64 {
  const id = Int64.parse(text);
  if (id === undefined || id < 1n)
    throw new InvalidArgumentError('The id of a key is a whole number above 0.');
  return id;
}

export function readName(text: string): string {
  // Terminals show the name, so it must not contain control characters.
  if (text.trim() !== '' && text.length <= 255 && printable(text) === text) return text;
  throw new InvalidArgumentError('A name has 1 to 255 characters, none of them a control or invisible one.');
}

const MAX_SCOPES = 20;

export function readScopes(text: string): Scope[] {
  const scopes = [...new Set(text.split(','))];
  if (scopes.length > MAX_SCOPES) throw new InvalidArgumentError(`A key has at most ${MAX_SCOPES} scopes.`);
  return scopes;
}

/** When a key ends, in ms: `at` since 1970, `in` from its issue on. */
type End = { readonly at: number } | { readonly in: number };

/** Reads when a key ends: the beginning of a day in UTC, or a duration. The database's clock decides when that moment is over. */
export function readEnd(text: string, now: number): End {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const duration = readDuration(text);
    if (duration === 0) throw new InvalidArgumentError('The key would expire at once.');
    return { in: duration };
  }
  const end = Date.parse(text);
  // `Date` accepts 30 February and makes it 2 March.
  if (Number.isNaN(end) || !new Date(end).toISOString().startsWith(text))
    throw new InvalidArgumentError('This day does not exist.');
  if (end <= now) throw new InvalidArgumentError('This day is in the past.');
  return { at: end };
}

/** The actor in the history is the user of this machine. */
function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // In a container the user often has no name.
    return `user ${process.getuid?.()}@${hostname()}`;
  }
}
