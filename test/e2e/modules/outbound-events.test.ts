import type { ServerResponse } from 'node:http';
import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { Events } from '../../../src/kernel/events.js';
import { Outbox } from '../../../src/platform/events/index.js';
import { PetAdded } from '../../../src/pets/index.js';
import { existing, onEveryEngine } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { accept, Receiver } from '../../support/http/receiver.js';
import { PetNoticesModule } from '../../support/modules/pet-notices-module.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService } from '../../support/service.js';

const SUBSCRIBER = 'notices';

let receiver: Receiver;

/** An ordinary subscriber beside the outbound one. */
@Module({})
class ListenerModule {
  static readonly heard: number[] = [];

  constructor(events: Events) {
    events.subscribe(PetAdded, 'listener', async ({ id }) => void ListenerModule.heard.push(Number(id)));
  }
}

const modules = [PetNoticesModule, ListenerModule];

describe('a module that sends events to another system', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      receiver = await Receiver.start();
      service = await start();
    });
    afterAll(async () => {
      await service.stop();
      await receiver.stop();
    });
    beforeEach(() => {
      receiver.received.length = 0;
      ListenerModule.heard.length = 0;
    });
    afterEach(() => void (receiver.answer = accept));

    const start = (on: Parameters<typeof startService>[0] = engine, beside?: Service) => {
      const environment = { PET_NOTICES_URL: receiver.url };
      return startService(on, { modules, environment, ...(beside && { beside }) });
    };
    const addPet = async ({ client }: Pick<Service, 'client'> = service) => {
      const { status, json } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect(status).toBe(201);
      return (json as { id: number }).id;
    };
    const order = async (petId: number) =>
      expect((await service.client.post('/v1/store/orders', { petId })).status).toBe(201);
    const events = async (...args: string[]) => {
      const environment = { DATABASE_URL: service.database.url, PET_NOTICES_URL: receiver.url };
      return petstore(['events', ...args], environment, '', [...MODULES, ...modules]);
    };
    const status = async () => (await events('status')).stdout;
    const isEmpty = () => eventually(async () => expect(await service.app.get(Outbox).backlog()).toEqual([]));

    it('delivers the events of each pet in order', async () => {
      const pets = await Promise.all([addPet(), addPet(), addPet()]);
      await Promise.all(pets.map(order));
      await eventually(async () => expect(receiver.received).toHaveLength(6));
      for (const id of pets) expect(receiver.of(id)).toEqual(['added', 'pending']);
      await isEmpty();
    });

    it('delivers each event once from two replicas', async () => {
      const other = await start(engine, service);
      const pets: number[] = [];
      for (let i = 0; i < 20; i++) pets.push(await addPet(i % 2 === 0 ? service : other));
      await isEmpty();
      await other.stop();
      const ascending = (numbers: number[]) => numbers.toSorted((one, another) => one - another);
      expect(ascending(receiver.received.map(({ petId }) => petId))).toEqual(ascending(pets));
    });

    it('delays neither requests, nor other subscribers, nor other pets while the receiver does not respond', async () => {
      const hanging: ServerResponse[] = [];
      receiver.answer = (_, response) => hanging.push(response);
      const stuck = await addPet();
      await eventually(async () => expect(hanging).toHaveLength(1));
      receiver.answer = accept;
      await order(stuck);
      const other = await addPet();
      await eventually(async () => {
        expect(receiver.of(other)).toEqual(['added']);
        expect(ListenerModule.heard.filter((id) => id === other)).toEqual([other]);
      });
      expect(receiver.of(stuck)).toEqual(['added']);
      hanging[0]!.writeHead(204).end();
      await eventually(async () => expect(receiver.of(stuck)).toEqual(['added', 'pending']));
    });

    it('sets an event aside after its last try, and sends it again on request, after later events', async () => {
      receiver.answer = ({ event }, response) => response.writeHead(event === 'added' ? 500 : 204).end();
      const petId = await addPet();
      await order(petId);
      const failing = { waiting: 2, failing: 1, problem: 'the receiver responded with 500', setAside: 0 };
      await eventually(async () => expect(await service.app.get(Outbox).backlog()).toMatchObject([failing]));
      expect(await status()).toMatch(
        /^notices {2}2 waiting since \S+, failing on 1: the receiver responded with 500\n$/,
      );
      await eventually(async () => {
        service.clock.advance(1_000);
        expect(await service.app.get(Outbox).backlog()).toMatchObject([{ waiting: 0, setAside: 1 }]);
      });
      expect(await status()).toBe('notices  0 waiting, 1 set aside\n');
      expect(receiver.of(petId)).toEqual(['added', 'added', 'added', 'pending']);

      const [aside] = JSON.parse((await events('list', SUBSCRIBER, '--json')).stdout) as { id: number }[];
      expect(aside).toMatchObject({
        type: 'PetAdded',
        aggregate: `pet/${petId}`,
        problem: 'the receiver responded with 500',
      });
      const { id } = receiver.received[0]!;
      expect(aside!.id).toBe(Number(id));
      expect((await events('list', SUBSCRIBER)).stdout).toMatch(
        new RegExp(
          `^id +event +entity +set aside +error\\n${id} +PetAdded +pet/${petId} +\\S+ +the receiver responded with 500\\n$`,
        ),
      );
      expect(await events('resend', SUBSCRIBER, 'seven')).toMatchObject({ code: 2 });
      receiver.answer = accept;
      expect((await events('resend', SUBSCRIBER, id)).stdout).toBe('1 event for notices is sent again\n');
      await isEmpty();
      expect(await status()).toBe('every event is delivered\n');
      expect(receiver.of(petId)).toEqual(['added', 'added', 'added', 'pending', 'added']);
      expect(new Set(receiver.received.map((one) => `${one.event} ${one.id}`)).size).toBe(2);
    });

    it('leaves an event to another process when it stops, without waiting for the receiver', async () => {
      const database = await engine.create();
      const hanging: ServerResponse[] = [];
      receiver.answer = (_, response) => hanging.push(response);
      const first = await start(existing(database));
      const petId = await addPet(first);
      await eventually(async () => expect(hanging).toHaveLength(1));
      await first.stop();
      receiver.answer = accept;
      const second = await start(existing(database));
      await eventually(async () => expect(receiver.of(petId)).toEqual(['added', 'added']));
      await second.stop();
      await database.drop();
      const [one, other] = receiver.received;
      expect(other).toEqual(one);
    });
  }));
