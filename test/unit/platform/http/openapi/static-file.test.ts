import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StaticFile } from '../../../../../src/platform/http/openapi/static-file.js';

const TEXT = 'a file that stays as it is\n'.repeat(100);

describe('a file that stays as it is', () => {
  let server: Server;
  let reads: number;
  let isAway: boolean;
  const read = () => {
    reads += 1;
    if (isAway) return Promise.reject(new Error('too many open files'));
    return Promise.resolve(TEXT);
  };
  beforeEach(async () => {
    reads = 0;
    isAway = false;
    const file = new StaticFile('text/plain', read);
    const app = express().disable('etag');
    app.get('/', (_, response) => file.sendTo(response));
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => void server.close());

  const get = (encoding: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      headers: { 'Accept-Encoding': encoding },
    });

  it('is read once, however many ask for it at once, and in which form', async () => {
    const answers = await Promise.all(['gzip', 'identity', 'gzip', '*'].map(get));
    for (const answer of answers) expect(await answer.text()).toBe(TEXT);
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(2);
    expect(reads).toBe(1);
  });

  it('is read again when that has failed', async () => {
    isAway = true;
    expect((await get('gzip')).status).toBe(500);
    isAway = false;
    expect(await (await get('gzip')).text()).toBe(TEXT);
    expect(reads).toBe(2);
  });
});
