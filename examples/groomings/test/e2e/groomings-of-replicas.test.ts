import { Inject, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Events } from '../../src/kernel/index.js';
import { GroomingOffered } from '../../src/groomings/index.js';
import { existing, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { aGroomingBody } from '../support/grooming-builder.js';
import { type Service, startService } from '../support/service.js';

const offered: string[] = [];

/** Another module, which could send a mail to the owner of the pet. */
@Module({})
class Mail {
  constructor(@Inject(Events) events: Events) {
    events.subscribe(GroomingOffered, 'mail', async ({ name }) => void offered.push(name));
  }
}

describe('two replicas', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let replicas: [Service, Service];
    beforeAll(async () => {
      offered.length = 0;
      database = await engine.create();
      const one = await startService(existing(database), { modules: [Mail] });
      replicas = [one, await startService(existing(database), { modules: [Mail], beside: one })];
      await one.client.post('/v1/groomers', { name: 'Ada' });
    });
    afterAll(async () => {
      for (const replica of replicas.toReversed()) await replica.stop();
      await database.drop();
    });

    /** Sends a request like a client: while the database is too slow for all requests, it repeats it with the same key. */
    const ask = async ({ client }: Service, body: object, key: string) => {
      for (let tries = 1; ; tries++) {
        const answer = await client.post('/v1/groomings', body, { headers: { 'Idempotency-Key': key } });
        if (answer.status !== 503 || tries === 10) return answer;
      }
    };
    /** Sends twenty requests at once. Each is for an hour, and they are `apart` minutes apart. */
    const askTwenty = (day: string, apart: number) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) => {
          const startsAt = new Date(Date.parse(`${day}T00:00:00Z`) + i * apart * 60_000).toISOString();
          const body = aGroomingBody({ groomerId: 1, startsAt, minutes: 60 });
          return ask(replicas[i % 2]!, body, `${day}-${i}`);
        }),
      );

    it('accept twenty groomings of one groomer at adjacent times', async () => {
      const answers = await askTwenty('2027-03-01', 60);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    });

    it.each(['2027-03-02', '2027-03-03', '2027-03-04'])(
      'accept one of twenty overlapping groomings that are requested at once, on %s',
      async (day) => {
        const answers = await askTwenty(day, 1);
        const taken = answers.filter(({ status }) => status === 201);
        expect(taken).toHaveLength(1);
        for (const { status, json } of answers.filter((answer) => !taken.includes(answer)))
          expect([status, json]).toMatchObject([409, { code: 'groomer_busy' }]);
        const part = `startsAtFrom=${day}T00:00:00Z&startsAtBefore=${day}T01:00:00Z`;
        const { json } = await replicas[1].client.get(`/v1/groomings?groomerId=1&${part}`);
        expect(json).toEqual([taken[0]!.json]);
      },
    );

    it('offer a grooming once for each new pet', async () => {
      for (const name of ['Rex', 'Mia']) await replicas[0].client.post('/v1/pets', { name, categoryId: 7 });
      await eventually(async () => expect(offered.toSorted()).toEqual(['Mia', 'Rex']));
    });
  }));
