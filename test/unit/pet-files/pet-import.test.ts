import { describe, expect, it } from 'vitest';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { DtoPetShape } from '../../../src/pets/adapters/http/pet.dto.js';
import { MemoryImportLedger } from '../../support/memory/memory-import-ledger.js';
import { MemoryPetRepository } from '../../support/memory/memory-pet-repository.js';
import { PetImport, type PetLine, type RefusedLine } from '../../../src/pet-files/application/pet-import.js';
import { type ImportProgress, ImportTaken } from '../../../src/pet-files/ports/import-ledger.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { memoryEvents } from '../../support/events.js';

const source = { name: 'animals.csv', contents: 'a'.repeat(64) };
/** Every tenth line is invalid. */
const line = (number: number): PetLine => ({
  number,
  data: { name: number % 10 ? `Animal ${number}` : '', categoryId: 7 },
});

async function* lines(count: number, breakAt = Infinity): AsyncGenerator<PetLine[]> {
  for (let number = 1; number <= count; number++) {
    if (number === breakAt) throw new Error('killed');
    yield [line(number)];
  }
}

function importHouse() {
  const units = new MemoryUnitOfWork();
  const [pets, ledger] = [new MemoryPetRepository(units), new MemoryImportLedger(units)];
  const { events } = memoryEvents();
  const imports = new PetImport(
    new PetCatalog(pets, new MemorySequence(), events),
    new DtoPetShape(),
    units,
    ledger,
  );
  const refused: RefusedLine[] = [];
  const progressed: ImportProgress[] = [];
  const observer = {
    refused: (one: RefusedLine) => void refused.push(one),
    progressed: (one: ImportProgress) => void progressed.push(one),
  };
  const names = async () => (await pets.list({ limit: 10_000 })).items.map(({ name }) => name);
  return { imports, observer, refused, progressed, names };
}

describe('an import', () => {
  it('adds a pet for each good line, and tells of each bad one', async () => {
    const { imports, observer, refused, progressed, names } = importHouse();
    const ended = await imports.run(lines(1_203), observer, source);
    expect(ended).toEqual({ line: 1_203, added: 1_083, refused: 120 });
    expect(refused.map(({ number }) => number)).toEqual(Array.from({ length: 120 }, (_, i) => 10 * (i + 1)));
    expect(refused[0]!.problems.map(({ field, code }) => `${field} ${code}`)).toEqual(['name blank']);
    expect(progressed.map((one) => one.line)).toEqual([500, 1_000, 1_203]);
    expect(new Set(await names()).size).toBe(1_083);
  });

  it('goes on after the last batch that was stored', async () => {
    const { imports, observer, refused, names } = importHouse();
    await expect(imports.run(lines(1_203, 1_100), observer, source)).rejects.toThrow('killed');
    expect(await names()).toHaveLength(900);
    refused.length = 0;
    expect(await imports.run(lines(1_203), observer, source)).toMatchObject({ added: 1_083, refused: 120 });
    expect(refused[0]!.number).toBe(1_010);
    expect(new Set(await names()).size).toBe(1_083);
    await imports.run(lines(1_203), observer, source);
    expect(await names()).toHaveLength(1_083);
  });

  it('of a file that was imported before begins anew where that is forgotten', async () => {
    const { imports, observer, names } = importHouse();
    await imports.run(lines(5), observer, source);
    await imports.forget(source);
    await imports.run(lines(5), observer, source);
    expect(await names()).toHaveLength(10);
  });

  it('of two of the same file one is refused, with all that it was about to store', async () => {
    const { imports, observer, names } = importHouse();
    const outcomes = await Promise.allSettled([
      imports.run(lines(400), observer, source),
      imports.run(lines(400), observer, source),
    ]);
    const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(rejected).toEqual([expect.any(ImportTaken)]);
    expect(await names()).toHaveLength(360);
  });

  it('that is only checked stores nothing', async () => {
    const { imports, observer, names } = importHouse();
    expect(await imports.check(lines(20), observer)).toMatchObject({ added: 18, refused: 2 });
    expect(await names()).toEqual([]);
    expect(await imports.progressOf(source)).toMatchObject({ line: 0 });
  });

  it('knows what is wrong with columns, whatever stands in the cells', () => {
    const { imports } = importHouse();
    const codes = (...columns: string[]) =>
      imports.validateColumns(columns).map(({ field, code }) => `${field} ${code}`);
    expect(codes('name', 'categoryId', 'status')).toEqual([]);
    expect(codes('categoryId', 'name')).toEqual([]);
    expect(codes('name', 'id', '__proto__')).toEqual([
      '__proto__ unknown_field',
      'categoryId required',
      'id read_only_field',
    ]);
  });
});
