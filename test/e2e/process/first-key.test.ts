import { expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { mariaDb } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';

it.skipIf(!mariaDb.installed)(
  'A start issues no first key if another process does so meanwhile, which it waits for',
  async ({ onTestFinished }) => {
    build();
    const database = await mariaDb.create();
    const environment = { DATABASE_URL: database.url };
    await petstore(['db', 'migrate'], environment);
    const lease = (change: string) =>
      database.execute(`UPDATE leases SET ${change} WHERE name = 'first-key'`);
    const until = Date.now() + 60_000;
    await database.execute(
      `INSERT INTO leases (name, holder, held_until) VALUES ('first-key', 'another', ${until})`,
    );

    const service = startBundled(environment);
    onTestFinished(async () => {
      await service.stop();
      await database.drop();
    });
    await service.printed(/Waiting for another process, which holds the lease \\"first-key\\"/);
    expect((await petstore(['keys', 'issue', '--name', 'first'], environment)).code).toBe(0);
    await lease('holder = NULL, held_until = 0');
    await service.printed(/API key +\S/);
    expect(service.output).not.toContain('psk_test_');
  },
);
