import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { SlowProxy } from '../support/databases/slow-proxy.js';
import { WITHOUT_THE_DISK } from '../support/databases/server-arguments.js';
import { Chance } from './history/chance.js';
import { checkHistory } from './history/check.js';
import { run } from './history/run.js';
import { seed } from './support/size.js';

/** Number of acknowledged operations in each history, and of histories until the check must find the fault. */
const WORK = 700;
const TURNS = 3;
/** In ms: delay of some database responses, so that responses without it overtake them. */
const ON_ITS_WAY = 80;

/**
 * The broken services of `test/faults/history/broken`, and the rules of which at least one must detect each; `test/unit/faults`
 * tests each rule on its own.
 */
const BROKEN: readonly [name: string, rules: readonly string[]][] = [
  ['stale-cache', ['impossible']],
  ['joined-read', ['hole', 'impossible']],
  ['lost-pets', ['impossible']],
  ['forgotten-answers', ['answered differently', 'done twice']],
];

describe.skipIf(!MariaDbServer.isInstalled())('the history of a service', () => {
  let server: MariaDbServer;
  let proxy: SlowProxy;
  beforeAll(async () => {
    const chance = new Chance(seed);
    server = await MariaDbServer.start(...WITHOUT_THE_DISK);
    proxy = await SlowProxy.before(server.port, () => (chance.below(3) ? 1 : ON_ITS_WAY));
  });
  afterAll(async () => {
    await proxy.close();
    await server.stop();
  });

  /** The rules that a history of this service violates. */
  const violated = async (name: string, environment: Record<string, string>, turn = 0) => {
    const database = `${name.replaceAll('-', '_')}_${turn}`;
    await server.query(`CREATE DATABASE ${database}`);
    const place = {
      url: () => `mysql://root:@127.0.0.1:${proxy.port}/${database}`,
      isShared: true,
      query: (...statements: string[]) => server.query(`USE ${database}`, ...statements),
      faults: [],
      differing: () => Promise.resolve(0),
      stop: () => Promise.resolve(),
    };
    const chance = new Chance(`${seed} ${name} ${turn}`);
    const { history } = await run(place, {
      chance,
      environment,
      replicas: 2,
      clients: 16,
      work: WORK,
      choose: () => [],
    });
    return new Set(checkHistory(history).map(({ rule }) => rule));
  };

  it('without a fault violates no rule', async () => {
    expect([...(await violated('whole', {}))]).toEqual([]);
  });

  // A short history may not show the fault, especially on a slow machine, but one of three does.
  it.each(BROKEN)('with the planted fault %s violates a rule', { timeout: 900_000 }, async (name, rules) => {
    const preload = pathToFileURL(join(import.meta.dirname, `history/broken/${name}.mjs`)).href;
    const found = new Set<string>();
    for (let turn = 0; turn < TURNS && rules.every((rule) => !found.has(rule)); turn++)
      for (const rule of await violated(name, { NODE_OPTIONS: `--import=${preload}` }, turn)) found.add(rule);
    expect(
      rules.filter((rule) => found.has(rule)),
      [...found].join(),
    ).not.toEqual([]);
  });
});
