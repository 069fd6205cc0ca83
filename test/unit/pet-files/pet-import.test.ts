import { describe, expect, it } from 'vitest';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { DtoPetShape } from '../../../src/pets/adapters/http/pet.dto.js';
import { MemoryImportLedger } from '../../support/memory/memory-import-ledger.js';
import { MemoryPetRepository } from '../../support/memory/memory-pet-repository.js';
import { PetImport, type PetLine, type RefusedLine } from '../../../src/pet-files/application/pet-import.js';
import { type ImportProgress, ImportTaken } from '../../../src/pet-files/ports/import-ledger.js';
import type { PetShape } from '../../../src/pets/index.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { memoryEvents } from '../../support/events.js';
import { DtoValidationPipe } from '../../../src/platform/http/validation/validation.pipe.js';

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

async function* each(...given: PetLine[]): AsyncGenerator<PetLine[]> {
  yield given;
}

function importHouse(shape: PetShape = new DtoPetShape(new DtoValidationPipe())) {
  const units = new MemoryUnitOfWork();
  const [pets, ledger] = [new MemoryPetRepository(units), new MemoryImportLedger(units)];
  const { events } = memoryEvents();
  const imports = new PetImport(new PetCatalog(pets, new MemorySequence(), events), shape, units, ledger);
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

  it('has stored a batch as soon as it is full', async () => {
    const { imports, observer, names } = importHouse();
    await expect(imports.run(lines(501, 501), observer, source)).rejects.toThrow('killed');
    expect(await names()).toHaveLength(450);
  });

  it('of no known source begins at its first line each time', async () => {
    const { imports, observer, names } = importHouse();
    for (let i = 0; i < 2; i++)
      expect(await imports.run(lines(5), observer)).toEqual({ line: 5, added: 5, refused: 0 });
    expect(await names()).toHaveLength(10);
  });

  it('tells of a bad line what its reader found, and of other fields what the domain found', async () => {
    const { imports, observer, refused } = importHouse();
    const problem = { field: 'name', code: 'invalid_type', message: 'must be in one line' } as const;
    const tell = (data: PetLine['data']) =>
      imports.check(each({ number: 3, data, problems: [problem] }), observer);
    await tell({ name: 'Rex', categoryId: 7 });
    await tell({ name: '', categoryId: 'seven' });
    await tell(undefined);
    expect(
      refused.map(({ number, problems }) => [number, problems.map(({ field, code }) => `${field} ${code}`)]),
    ).toEqual([
      [3, ['name invalid_type']],
      [3, ['name invalid_type', 'categoryId invalid_type']],
      [3, ['name invalid_type']],
    ]);
  });

  it('ends with what is no fault of a line', async () => {
    const broken = { read: () => expect.unreachable('a bug') };
    const { imports, observer, refused } = importHouse(broken);
    await expect(imports.run(lines(3), observer)).rejects.toThrow('a bug');
    expect(refused).toEqual([]);
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

  it('knows what is wrong with columns, whatever stands in the cells', async () => {
    const { imports } = importHouse();
    const codes = async (...columns: string[]) =>
      (await imports.validateColumns(columns)).map(({ field, code }) => `${field} ${code}`);
    expect(await codes('name', 'categoryId', 'status')).toEqual([]);
    expect(await codes('categoryId', 'name')).toEqual([]);
    expect(await codes('name', '__proto__')).toEqual(['__proto__ unknown_field']);
    expect(await codes('name', 'id', 'colour')).toEqual([
      'colour unknown_field',
      'categoryId required',
      'id read_only_field',
    ]);
  });
});
