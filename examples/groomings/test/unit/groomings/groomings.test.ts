import { beforeEach, describe, expect, it } from 'vitest';
import { Groomings } from '../../../src/groomings/application/groomings.js';
import {
  GroomerBusy,
  GroomingNotFound,
  UnknownGroomer,
} from '../../../src/groomings/domain/grooming-errors.js';
import { aGroomer } from '../../support/groomer-builder.js';
import { MemoryGroomerRepository } from '../../support/memory/memory-groomer-repository.js';
import { MemoryGroomingRepository } from '../../support/memory/memory-grooming-repository.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { aGrooming, aNewGrooming } from '../../support/grooming-builder.js';

describe('the use cases of groomings', () => {
  let groomings: Groomings;
  beforeEach(async () => {
    const units = new MemoryUnitOfWork();
    const groomers = new MemoryGroomerRepository(units);
    await groomers.add(aGroomer({ id: 1n }));
    groomings = new Groomings(new MemoryGroomingRepository(units), groomers, new MemorySequence(), units);
  });
  const idsOf = (items: readonly { id: bigint }[]) => items.map(({ id }) => id);

  it('return the grooming as it was stored', async () => {
    const input = aNewGrooming();
    const added = await groomings.add(input);
    expect(added).toEqual(aGrooming({ id: 1n, ...input }));
    expect(await groomings.get(1n)).toEqual(added);
  });

  it('assign different ids to two groomings', async () => {
    const [one, other] = [await groomings.add(aNewGrooming()), await groomings.add(aNewGrooming())];
    expect(one.id).not.toBe(other.id);
  });

  it('reject overlapping groomings of one groomer, and accept adjacent ones', async () => {
    const first = await groomings.add(aNewGrooming({ minutes: 60 }));
    const at = (minutes: number) => new Date(first.startsAt.getTime() + minutes * 60_000);
    for (const [start, minutes] of [
      [0, 60],
      [59, 15],
      [-14, 15],
      [15, 15],
      [-15, 240],
    ] as const)
      await expect(groomings.add(aNewGrooming({ startsAt: at(start), minutes }))).rejects.toThrow(
        GroomerBusy,
      );
    for (const start of [60, -15]) await groomings.add(aNewGrooming({ startsAt: at(start), minutes: 15 }));
    await expect(groomings.add(aNewGrooming({ groomerId: 404n }))).rejects.toThrow(UnknownGroomer);
  });

  it('list the newest first, with the position of the next page', async () => {
    for (let i = 0; i < 4; i++) await groomings.add(aNewGrooming());
    const page = await groomings.list({ limit: 3 });
    expect([idsOf(page.items), page.next]).toEqual([[4n, 3n, 2n], { id: 2n }]);
    expect(await groomings.list({ after: page.next!, limit: 3 })).toEqual({
      items: [await groomings.get(1n)],
    });
  });

  it('reject the id of a grooming that does not exist', async () => {
    await expect(groomings.get(404n)).rejects.toThrow(GroomingNotFound);
  });
});
