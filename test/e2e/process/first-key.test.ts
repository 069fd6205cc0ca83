import { expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { mariaDb } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';

/** How often the lease is renewed, in ms: long before it lapses after 5 s. */
const RENEWAL_MS = 200;

it.skipIf(!mariaDb.installed)(
  'A start issues no first key if another process does so meanwhile, which it waits for',
  async ({ onTestFinished }) => {
    build();
    const database = await mariaDb.create();
    const environment = { DATABASE_URL: database.url };
    await petstore(['db', 'migrate'], environment);
    const lease = (change: string) =>
      database.execute(`UPDATE leases SET ${change} WHERE name = 'first-key'`);
    await database.execute("INSERT INTO leases (name, holder, beat) VALUES ('first-key', 'another', 1)");
    const renewing = setInterval(() => void lease('beat = beat + 1'), RENEWAL_MS);

    const service = startBundled(environment);
    onTestFinished(async () => {
      clearInterval(renewing);
      await service.stop();
      await database.drop();
    });
    await service.printed(/Waiting for another process, which holds the lease \\"first-key\\"/);
    expect((await petstore(['keys', 'issue', '--name', 'first'], environment)).code).toBe(0);
    clearInterval(renewing);
    await lease('holder = NULL');
    await service.printed(/API key +\S/);
    expect(service.output).not.toContain('psk_test_');
  },
);
