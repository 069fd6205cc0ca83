import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const START = resolve(import.meta.dirname, '../../bench/start.mjs');

it.each([['--node', 'lts'], ['--node=v26'], ['--node']])(
  'the benchmark says which versions of Node it takes: %j',
  (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [START, 'run', ...args], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: --node takes a major version of Node, such as \d+, not "(?:lts|v26|)"\n$/,
    );
  },
);
