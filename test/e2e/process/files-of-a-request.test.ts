import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBuilt } from '../../support/built-service.js';
import type { Program } from '../../support/program.js';
import { readText } from '../../support/read-text.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const PRELOADED = join(ROOT, 'test/support/processes/files-run.mjs');
const SECRET = 'a-secret-that-only-this-test-knows';

/** The number of requests of each kind that are counted. */
const REQUESTS = 20;

describe('a warm request for a list, or to add an item,', () => {
  let folder: string;
  let service: Program;
  let base: string;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-files-'));
    service = startBuilt({
      DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`,
      BOOTSTRAP_API_KEY: SECRET,
      NODE_OPTIONS: `--import=${pathToFileURL(PRELOADED).href}`,
    });
    port = Number((await service.printed(/Files at port (\d+)/))[1]);
    base = (await service.printed(/(http:\/\/[^\s"]+\/v1)\b/))[1]!;
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const callsByFile = async () => {
    const socket = connect(port, '127.0.0.1');
    return Object.entries(JSON.parse(await text(socket)) as Record<string, number>);
  };

  /** The files that run for each request. A job in the background runs less often. */
  async function filesOf(send: () => Promise<number>, status: number): Promise<string[]> {
    const sendAll = async () => {
      for (let i = 0; i < REQUESTS; i += 1) expect(await send()).toBe(status);
    };
    // The first requests fill caches.
    await sendAll();
    await callsByFile();
    await sendAll();
    const often = (await callsByFile()).filter(([, calls]) => calls >= REQUESTS / 2);
    return often.map(([file]) => `src/${file.replace(/\.js$/, '.ts')}`);
  }

  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' };
  const list = async () => {
    const response = await fetch(`${base}/pets?status=available`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const add = async () => {
    const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
    const response = await fetch(`${base}/pets`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };

  it('runs exactly the files that the architecture lists', async () => {
    // First the creations, so that the list has a next page.
    const [adding, listing] = [await filesOf(add, 201), await filesOf(list, 200)];
    const files = [...new Set([...listing, ...adding])].toSorted();
    process.stdout.write(`\nA warm list runs ${listing.length} files, and a creation ${adding.length}.\n`);
    expect(listedFiles()).toEqual(files);
  });
});

/** The files in the section of the architecture, each in backticks. */
function listedFiles(): string[] {
  const [, section = ''] = readText(join(ROOT, 'docs/architecture.md')).split('### All files of a request\n');
  const [text = ''] = section.split(/^#/m);
  return [...text.matchAll(/`(src\/[\w./-]+\.ts)`/g)].map(([, file]) => file!).toSorted();
}
