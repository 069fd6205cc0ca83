import { beforeEach, describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/index.js';
import { Receivers } from '../../../src/webhooks/application/receivers.js';
import { ReceiverNotFound } from '../../../src/webhooks/domain/receiver-errors.js';
import { MemoryReceiverRepository } from '../../support/memory/memory-receiver-repository.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { aReceiver, aNewReceiver } from '../../support/receiver-builder.js';
import { EveryByte } from '../access/key-house.js';

/** The bytes 0 to 31. */
const FIRST_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

describe('the use cases of receivers', () => {
  let receivers: Receivers;
  beforeEach(() => {
    const units = new MemoryUnitOfWork();
    receivers = new Receivers(
      new MemoryReceiverRepository(units),
      new MemorySequence(),
      new EveryByte(),
      false,
    );
  });
  const idsOf = (items: readonly { id: bigint }[]) => items.map(({ id }) => id);

  it('return the receiver as it was stored', async () => {
    const input = aNewReceiver();
    const added = await receivers.add(input);
    expect(added).toEqual(aReceiver({ id: 1n, ...input, secret: FIRST_SECRET }));
    expect(await receivers.get(1n)).toEqual(added);
  });

  it('assign different ids and secrets to two receivers', async () => {
    const [one, other] = [await receivers.add(aNewReceiver()), await receivers.add(aNewReceiver())];
    expect(one.id).not.toBe(other.id);
    expect(one.secret).not.toBe(other.secret);
  });

  it('store nothing, and use no id, when the input is rejected', async () => {
    await expect(receivers.add(aNewReceiver({ url: '' }))).rejects.toThrow(InvalidInput);
    expect((await receivers.list({ limit: 9 })).items).toEqual([]);
    expect((await receivers.add(aNewReceiver())).id).toBe(1n);
  });

  it('list the newest first, with the position of the next page', async () => {
    for (let i = 0; i < 4; i++) await receivers.add(aNewReceiver());
    const page = await receivers.list({ limit: 3 });
    expect([idsOf(page.items), page.next]).toEqual([[4n, 3n, 2n], { id: 2n }]);
    expect(await receivers.list({ after: page.next!, limit: 3 })).toEqual({
      items: [await receivers.get(1n)],
    });
  });

  it('delete a receiver, and do nothing if it does not exist', async () => {
    const { id } = await receivers.add(aNewReceiver());
    for (const known of [id, 404n]) await receivers.delete(known);
    expect((await receivers.list({ limit: 9 })).items).toEqual([]);
  });

  it('reject the id of a receiver that does not exist', async () => {
    await expect(receivers.get(404n)).rejects.toThrow(ReceiverNotFound);
  });
});
