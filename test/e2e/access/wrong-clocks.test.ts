import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { spawnPetstore, startBundled } from '../../support/built-service.js';
import { mariaDb, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { forgetFolder, keepFolder } from '../../support/processes/keeper.js';
import { MovedClock } from '../../support/processes/moved-clock.js';
import type { Program } from '../../support/program.js';

const HOUR = 3_600;

interface Shown {
  readonly id: number;
  readonly secret: string;
  readonly state: string;
  readonly expiresAt: string | null;
}

describe.skipIf(!MovedClock.isInstalled() || !inject('mariaDbPort'))(
  'keys on machines whose clocks are wrong',
  () => {
    let folder: string;
    let database: TestDatabase;
    let clocks: { replica: MovedClock; desk: MovedClock };
    let replica: Program;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'petstore-clocks-'));
      keepFolder(folder);
      database = await mariaDb.create();
      const clockIn = async (name: string) => {
        await mkdir(join(folder, name));
        return new MovedClock(join(folder, name));
      };
      clocks = { replica: await clockIn('replica'), desk: await clockIn('desk') };
    });
    afterEach(async () => {
      await replica.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
      forgetFolder(folder);
    });

    const petstore = (...args: string[]) =>
      spawnPetstore(args, { DATABASE_URL: database.url, ...clocks.desk.environment }).end();
    const keys = async (...args: string[]) =>
      JSON.parse((await petstore('keys', ...args, '--json')).stdout) as Shown;

    it.each([
      { desk: HOUR, at: -HOUR, said: 'behind', deskSaid: 'ahead of' },
      { desk: -HOUR, at: HOUR, said: 'ahead of', deskSaid: 'behind' },
    ])(
      'are rejected once revoked, and expire in time, on a replica that is $at s off, by commands that are $desk s off',
      async ({ desk, at, said, deskSaid }) => {
        clocks.desk.move(desk);
        clocks.replica.move(at);
        const settings = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
        replica = startBundled({ ...settings, ...clocks.replica.environment });
        const origin = (await replica.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
        const statusOf = async (secret: string) => {
          const headers = { Authorization: `Bearer ${secret}` };
          return (await fetch(`${origin}/v1/pets`, { headers })).status;
        };
        await replica.printed(
          new RegExp(`The clock of this machine is 3[56]\\d\\d s ${said} that of the database`),
        );
        expect((await petstore('doctor')).stdout).toMatch(
          new RegExp(
            `^warning {2}database: The clock of this machine is 3[56]\\d\\d s ${deskSaid} that of`,
            'm',
          ),
        );
        const [revoked, ending, old] = await Promise.all([
          keys('issue', '--name', 'revoked'),
          keys('issue', '--name', 'ending', '--expires', '30m'),
          keys('issue', '--name', 'rotated'),
        ]);
        expect(Math.abs(Date.parse(ending.expiresAt!) - Date.now() - 1_800_000)).toBeLessThan(300_000);
        for (const { secret } of [revoked, ending, old]) expect(await statusOf(secret)).toBe(200);
        const [ended, fresh] = await Promise.all([
          keys('revoke', String(revoked.id)),
          keys('rotate', String(old.id), '--overlap', '30m'),
        ]);
        expect(ended.state).toBe('revoked');
        expect([await statusOf(old.secret), await statusOf(fresh.secret)]).toEqual([200, 200]);
        await eventually(async () => (await statusOf(revoked.secret)) === 401);
        await database.execute(
          `UPDATE api_keys SET expires_at = ${Date.now()} WHERE name <> 'revoked' AND expires_at IS NOT NULL`,
        );
        for (const { secret } of [ending, old])
          await eventually(async () => (await statusOf(secret)) === 401);
        expect(await statusOf(fresh.secret)).toBe(200);
      },
    );
  },
);
