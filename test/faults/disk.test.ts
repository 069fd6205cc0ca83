import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startBuilt } from '../support/built-service.js';
import { ALL_PETS, audit } from './support/ledger.js';
import { sqlite, type TestDatabase } from '../support/engines.js';
import { note } from './support/note.js';
import { Replica } from './support/servers/replica.js';
import { Traffic } from './support/load/traffic.js';

const MEGABYTE = 1024 * 1024;

let database: TestDatabase;
let file: string;
beforeEach(async () => {
  database = await sqlite.create();
  file = database.url.slice('sqlite:'.length);
});
afterEach(async () => {
  rmSync(file, { recursive: true, force: true });
  await database.drop();
});

/** Limits the file size of a running process, in bytes; this needs no privileges, and can be undone. */
const limitFiles = (pid: number, bytes: number | 'unlimited') =>
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);

it('on a full disk, writes get an error and reads succeed; with free space again, writes succeed too', async (context) => {
  const replica = await Replica.start(database.url);
  const load = Traffic.startWrites([replica.caller], 4);
  await eventually(() => Promise.resolve(load.acknowledged.size > 50));
  const sizes = ['', '-wal'].map((suffix) => statSync(file + suffix).size);
  limitFiles(replica.pid, Math.max(...sizes) + MEGABYTE / 4);
  await eventually(() => Promise.resolve(load.tally.count(503) > 50 || load.tally.surprises.length > 50));
  const read = (await replica.caller.get('/v1/pets')).status;
  const alive = (await replica.caller.get('/livez')).status;
  const full = load.acknowledged.size;
  limitFiles(replica.pid, 'unlimited');
  await eventually(() => Promise.resolve(load.acknowledged.size > full + 50));
  await load.stop();
  const { pid, isRunning, surprises } = replica;
  const integrity = (await database.query('PRAGMA integrity_check'))[0]!['integrity_check'];
  const { lost, doubled } = audit(load.acknowledged, await database.query(ALL_PETS));
  await replica.discard();
  note(context, {
    promise: 20,
    line: `disk full: ${load.tally}; reads ${read}; with room again ${load.acknowledged.size - full} more; ${lost} lost, ${doubled} doubled, integrity ${integrity}`,
    kept: lost + doubled + load.tally.surprises.length === 0 && integrity === 'ok' && read === 200,
  });
  expect([lost, doubled, integrity, read, alive]).toEqual([0, 0, 'ok', 200, 200]);
  expect([pid > 0, isRunning, surprises, load.tally.surprises]).toEqual([true, true, [], []]);
});

it.for<[string, () => void]>([
  ['full of something else', () => writeFileSync(file, Buffer.alloc(64 * 1024, 'no database. '))],
  ['a folder', () => mkdirSync(file)],
])('a service on a file that is %s reports the file in its error', async ([what, spoil], context) => {
  spoil();
  const begun = performance.now();
  const { code, output } = await startBuilt({ DATABASE_URL: database.url }, tmpdir()).end();
  const named = output.includes(file);
  note(context, {
    promise: 20,
    line: `a file that is ${what}: exit code ${code} after ${Math.round(performance.now() - begun)} ms, ${named ? 'names the file' : 'does not name the file'}`,
    kept: code === 1 && named,
  });
  expect([code, output]).toEqual([1, expect.stringContaining(file)]);
});

it('a second service on one file reports the file in its error, and the first service loses nothing', async (context) => {
  const replica = await Replica.start(database.url);
  const load = Traffic.startWrites([replica.caller], 4);
  await eventually(() => Promise.resolve(load.acknowledged.size > 50));
  const { code, output } = await startBuilt({ DATABASE_URL: database.url }, tmpdir()).end();
  const before = load.acknowledged.size;
  await eventually(() => Promise.resolve(load.acknowledged.size > before + 50));
  await load.stop();
  const { lost, doubled } = audit(load.acknowledged, await database.query(ALL_PETS));
  await replica.discard();
  note(context, {
    promise: 20,
    line: `a second service on one file: exit code ${code}; the first: ${load.tally}, ${lost} lost`,
    kept: code === 1 && lost + doubled + load.tally.surprises.length === 0,
  });
  expect([lost, doubled, load.tally.surprises]).toEqual([0, 0, []]);
  expect([code, output]).toEqual([1, expect.stringContaining(file)]);
});
