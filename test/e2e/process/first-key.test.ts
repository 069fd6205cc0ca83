import { expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { mariaDb } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';

const PROCESSES = 4;

it.skipIf(!mariaDb.installed)(
  'of several processes that start together one issues the first key',
  async () => {
    build();
    const database = await mariaDb.create();
    const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
    const processes = Array.from({ length: PROCESSES }, () => startBundled(environment));
    await Promise.all(processes.map((one) => one.printed(/API key +\S/)));
    const secrets = processes.flatMap(({ output }) => /API key +(psk_test_\S+)/.exec(output)?.[1] ?? []);
    const { output } = await petstore(['keys', 'list', '--json'], environment);
    await Promise.all(processes.map((one) => one.stop()));
    await database.drop();
    expect([secrets.length, (JSON.parse(output) as object[]).length]).toEqual([1, 1]);
  },
);
