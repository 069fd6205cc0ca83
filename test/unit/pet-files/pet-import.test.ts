import { describe, expect, it } from 'vitest';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { DtoPetShape } from '../../../src/pets/adapters/http/pet.dto.js';
import { MemoryImportLedger } from '../../support/memory/memory-import-ledger.js';
import { MemoryPetRepository } from '../../support/memory/memory-pet-repository.js';
import {
  PetImport,
  type PetRecord,
  type RefusedRecord,
} from '../../../src/pet-files/application/pet-import.js';
import {
  type ImportProgress,
  ImportTaken,
  NotResumable,
} from '../../../src/pet-files/ports/import-ledger.js';
import type { PetShape } from '../../../src/pets/index.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { memoryEvents } from '../../support/events.js';
import { DtoValidationPipe } from '../../../src/platform/http/index.js';

const source = 'animals';
/** Every tenth record is invalid, the first is 7. */
const record = (number: number): PetRecord => ({
  text: `${number};`,
  data: { name: number % 10 !== 7 ? `Animal ${number}` : '', categoryId: 7 },
});

async function* records(count: number, breakAt = Infinity): AsyncGenerator<PetRecord> {
  for (let number = 1; number <= count; number++) {
    if (number === breakAt) throw new Error('killed');
    yield record(number);
  }
}

async function* each(...given: PetRecord[]): AsyncGenerator<PetRecord> {
  yield* given;
}

function importHouse(shape: PetShape = new DtoPetShape(new DtoValidationPipe())) {
  const units = new MemoryUnitOfWork();
  const [pets, ledger] = [new MemoryPetRepository(units), new MemoryImportLedger(units)];
  const { events } = memoryEvents();
  const imports = new PetImport(new PetCatalog(pets, new MemorySequence(), events), shape, units, ledger);
  const refused: RefusedRecord[] = [];
  const progressed: ImportProgress[] = [];
  const observer = {
    refused: (one: RefusedRecord) => void refused.push(one),
    progressed: (one: ImportProgress) => void progressed.push(one),
  };
  const names = async () => (await pets.list({ limit: 10_000 })).items.map(({ name }) => name);
  return { imports, observer, refused, progressed, names };
}

describe('an import', () => {
  it('adds a pet for each good record, and reports each bad one', async () => {
    const { imports, observer, refused, progressed, names } = importHouse();
    const ended = await imports.run(records(1_203), observer, source);
    expect(ended).toMatchObject({ records: 1_203, added: 1_083, refused: 120 });
    expect(refused.map(({ record }) => record)).toEqual(Array.from({ length: 120 }, (_, i) => 10 * i + 7));
    expect(refused[0]!.problems.map(({ field, code }) => `${field} ${code}`)).toEqual(['name blank']);
    expect(progressed.map((one) => one.records)).toEqual([0, 500, 1_000, 1_203]);
    expect(new Set(await names()).size).toBe(1_083);
  });

  it('holds no more records than it stores at once, however many there are', async () => {
    const { imports, observer, progressed } = importHouse();
    let [taken, most] = [0, 0];
    async function* counted() {
      for await (const one of records(2_000)) {
        most = Math.max(most, ++taken - progressed.at(-1)!.records);
        yield one;
      }
    }
    await imports.run(counted(), observer);
    expect([taken, most]).toEqual([2_000, 500]);
  });

  it('that has ended is rejected, never skipped, also with other records', async () => {
    const { imports, observer, names } = importHouse();
    await imports.run(records(5), observer, source);
    for (const count of [5, 7])
      await expect(imports.run(records(count), observer, source)).rejects.toThrow(
        /The import animals has ended: 5 records are done\. A new import needs a new name/,
      );
    expect(await names()).toHaveLength(5);
  });

  it('continues with the records with which it began, and with no others', async () => {
    const { imports, observer, names } = importHouse();
    await expect(imports.run(records(1_203, 1_100), observer, source)).rejects.toThrow('killed');
    const [first, ...rest] = Array.from({ length: 1_203 }, (_, i) => record(i + 1));
    const others = [[{ ...first, text: 'other' }, ...rest], rest, [first!], [], rest.slice(0, 999)];
    for (const other of others)
      await expect(imports.run(each(...other), observer, source)).rejects.toThrow(
        new NotResumable(
          'This is not the file that was cut off after 1000 records under this name. Resume with that one, or use another name.',
        ),
      );
    expect(await names()).toHaveLength(900);
    // Later records may have been corrected.
    const mended = each(first!, ...rest.slice(0, 999), record(5_001));
    expect(await imports.run(mended, observer, source)).toMatchObject({ records: 1_001, added: 901 });
  });

  it('that was killed after its last record only marks its end when it is resumed', async () => {
    const { imports, observer, progressed, names } = importHouse();
    await expect(imports.run(records(501, 501), observer, source)).rejects.toThrow('killed');
    expect(await imports.run(records(500), observer, source)).toMatchObject({ added: 450 });
    expect(progressed.map((one) => one.records)).toEqual([0, 500, 500]);
    expect(await names()).toHaveLength(450);
    await expect(imports.run(records(500), observer, source)).rejects.toThrow('has ended');
  });

  it('without a name begins at its first record each time', async () => {
    const { imports, observer, names } = importHouse();
    for (let i = 0; i < 2; i++)
      expect(await imports.run(records(5), observer)).toMatchObject({ records: 5, added: 5, refused: 0 });
    expect(await names()).toHaveLength(10);
  });

  it('reports the problems that the reader found in a bad record', async () => {
    const { imports, observer, refused } = importHouse();
    const problems = [{ field: '', code: 'malformed_text', message: 'is no JSON' }] as const;
    await imports.check(each({ problems }), observer);
    expect(refused).toEqual([{ record: 1, problems }]);
  });

  it('fails on an error that is not the fault of a record', async () => {
    const broken = { read: () => expect.unreachable('a bug') };
    const { imports, observer, refused } = importHouse(broken);
    await expect(imports.run(records(3), observer)).rejects.toThrow('a bug');
    expect(refused).toEqual([]);
  });

  it('of two with the same name is rejected, and stores nothing of its current batch', async () => {
    const { imports, observer, names } = importHouse();
    const outcomes = await Promise.allSettled([
      imports.run(records(400), observer, source),
      imports.run(records(400), observer, source),
    ]);
    const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(rejected).toEqual([expect.any(ImportTaken)]);
    expect(await names()).toHaveLength(360);
  });

  it('that only checks records stores nothing', async () => {
    const { imports, observer, names } = importHouse();
    expect(await imports.check(records(20), observer)).toMatchObject({ added: 18, refused: 2 });
    expect(await names()).toEqual([]);
  });
});
