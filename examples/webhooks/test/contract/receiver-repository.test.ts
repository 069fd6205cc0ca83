import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page, Properties } from '../../src/kernel/index.js';
import { MemoryReceiverRepository } from '../support/memory/memory-receiver-repository.js';
import { WebhooksModule } from '../../src/webhooks/index.js';
import { migrationsOfModule } from '../../src/platform/database/index.js';
import { ReceiverSchema } from '../../src/webhooks/adapters/typeorm/receiver.schema.js';
import { TypeOrmReceiverRepository } from '../../src/webhooks/adapters/typeorm/typeorm-receiver-repository.js';
import { MAX_RECEIVER_URL, MAX_RECEIVER_SECRET } from '../../src/webhooks/domain/new-receiver.js';
import { Receiver } from '../../src/webhooks/domain/receiver.js';
import type { ReceiverRepository } from '../../src/webhooks/ports/receiver-repository.js';
import { aReceiver } from '../support/receiver-builder.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

type Receivers = { receivers: ReceiverRepository };
const adapters: Adapters<Receivers> = {
  module: 'webhooks',
  migrations: migrationsOfModule(WebhooksModule),
  schemas: [ReceiverSchema],
  inMemory: (units) => ({ receivers: new MemoryReceiverRepository(units) }),
  inTypeOrm: (source) => ({
    receivers: new TypeOrmReceiverRepository(source.getRepository(Receiver), source),
  }),
};

describe('the storage of receivers', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Receivers>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    /** Adds receivers, one after the other. */
    const fill = async (...given: Partial<Properties<Receiver>>[]) => {
      const added = given.map((more) => aReceiver(more));
      for (const receiver of added) await store.receivers.add(receiver);
      return added as [Receiver, Receiver, Receiver];
    };
    const idsOf = ({ items }: Page<Receiver>) => items.map(({ id }) => id);

    it.each<[string, Partial<Properties<Receiver>>]>([
      ['each property', {}],
      ['the largest id', { id: 2n ** 63n - 1n }],
      ['the longest url', { url: '🏠'.repeat(MAX_RECEIVER_URL) }],
      [
        'an url with quotes, backslashes and decomposed letters',
        { url: `'"\`\\%_;--u\u0308`.slice(0, MAX_RECEIVER_URL) },
      ],
      ['the longest secret', { secret: '🏠'.repeat(MAX_RECEIVER_SECRET) }],
      [
        'a secret with quotes, backslashes and decomposed letters',
        { secret: `'"\`\\%_;--u\u0308`.slice(0, MAX_RECEIVER_SECRET) },
      ],
    ])('gives back %s exactly as it was added', async (_, more) => {
      const [added] = await fill(more);
      expect(await store.receivers.find(added.id)).toEqual(added);
    });

    it('does not find a receiver that was never added', async () => {
      expect(await store.receivers.find(404n)).toBeUndefined();
    });

    it('does not store two receivers with one id', async () => {
      const [added] = await fill({});
      await expect(store.receivers.add(aReceiver({ id: added.id }))).rejects.toThrow();
      expect(await store.receivers.find(added.id)).toEqual(added);
    });

    it('lists the newest first, and the next page after a given position', async () => {
      const [one, two, three] = await fill({}, {}, {});
      expect(idsOf(await store.receivers.list({ limit: 2 }))).toEqual([three.id, two.id]);
      expect(idsOf(await store.receivers.list({ after: { id: two.id }, limit: 2 }))).toEqual([one.id]);
    });

    it('names all ids in ascending order', async () => {
      expect(await store.receivers.ids()).toEqual([]);
      const [one, two, three] = await fill({ id: 10n }, { id: 9n }, { id: 2n ** 63n - 1n });
      expect(await store.receivers.ids()).toEqual([two.id, one.id, three.id]);
    });

    it('does not change a receiver when the change or the check throws', async () => {
      const [added] = await fill({});
      const refuse = () => {
        throw new Error('no');
      };
      await expect(store.receivers.delete(added.id, refuse)).rejects.toThrow('no');
      expect(await store.receivers.find(added.id)).toEqual(added);
    });

    it('deletes one receiver once, and no other', async () => {
      const [added, other] = await fill({}, {});
      expect(await store.receivers.delete(added.id, () => {})).toEqual(added);
      expect(await store.receivers.find(added.id)).toBeUndefined();
      expect(idsOf(await store.receivers.list({ limit: 9 }))).toEqual([other.id]);
      expect(await store.receivers.delete(added.id, () => {})).toBeUndefined();
    });

    it('is part of the unit of work', async () => {
      const unit = store.units.run(async () => {
        await fill({});
        throw new Error('undo');
      });
      await expect(unit).rejects.toThrow('undo');
      expect(idsOf(await store.receivers.list({ limit: 9 }))).toEqual([]);
    });
  }));
