import { InvalidInput, type Problem } from '../../kernel/domain-error.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import { type BulkPets, NewPet, type PetShape } from '../../pets/index.js';
import { RecordsHash } from '../domain/hashes.js';
import { type ImportLedger, type ImportProgress, NotResumable } from '../ports/import-ledger.js';

/** The number of records that are stored together: few enough to make other writers wait only some milliseconds. */
const BATCH_SIZE = 500;

const NOTHING: ImportProgress = { records: 0, added: 0, refused: 0, hash: new RecordsHash().hex };

/** A record of a file of pets: its data, not validated yet, or why it cannot be read. */
export interface PetRecord {
  /** Tells it from other records; an import with a name needs it. */
  readonly text?: string;
  readonly data?: object;
  readonly problems?: readonly Problem[];
}

/** A record that is refused, with its number, from 1, and all its problems. */
export interface RefusedRecord {
  readonly record: number;
  readonly problems: readonly Problem[];
}

/** Observes an import while it runs. */
export interface ImportObserver {
  /** Called at least once for each refused record, before the progress after it is stored. */
  refused(record: RefusedRecord): void;
  /** Called at the beginning and after each batch. */
  progressed(progress: ImportProgress): void;
}

/** Adds many pets to the catalogue, each validated as a single one is. */
export class PetImport {
  constructor(
    private readonly pets: BulkPets,
    private readonly shape: PetShape,
    private readonly units: UnitOfWork,
    private readonly ledger: ImportLedger,
  ) {}

  /** Validates every record and stores nothing. @returns the result of a real import */
  check(records: AsyncIterable<PetRecord>, observer: ImportObserver): Promise<ImportProgress> {
    return this.#each(NOTHING, records, observer, async () => {});
  }

  /**
   * Adds a pet for each valid record. With a name it goes on where an earlier import of that name was cut off: each batch of pets
   * and the progress behind it are one unit of work. @returns the result for all records, including those of earlier imports.
   * @throws NotResumable, ImportTaken
   */
  async run(
    records: AsyncIterable<PetRecord>,
    observer: ImportObserver,
    name?: string,
  ): Promise<ImportProgress> {
    const begun = name === undefined ? NOTHING : await this.ledger.begin(name, NOTHING);
    if (begun.hash === undefined)
      throw new NotResumable(
        `The import ${name} has ended: ${begun.records} records are done. A new import needs a new name, such as one with the day in it.`,
      );
    const ended = await this.#each(begun, records, observer, async (newPets, from, to) => {
      const pets = await this.pets.create(newPets);
      await this.units.run(async () => {
        await this.pets.addAll(pets);
        if (name !== undefined) await this.ledger.advance(name, from, to);
      });
    });
    if (name !== undefined) await this.ledger.advance(name, ended, { ...ended, hash: undefined });
    return ended;
  }

  async #each(
    begun: ImportProgress,
    records: AsyncIterable<PetRecord>,
    observer: ImportObserver,
    store: (newPets: NewPet[], from: ImportProgress, to: ImportProgress) => Promise<void>,
  ): Promise<ImportProgress> {
    let progress = begun;
    observer.progressed(progress);
    for await (const { batch, hash } of batchesOf(records, begun)) {
      const results = await Promise.all(batch.map((record) => this.#validate(record)));
      const newPets = results.filter((result) => result instanceof NewPet);
      for (const [i, problems] of results.entries())
        if (!(problems instanceof NewPet)) observer.refused({ record: progress.records + i + 1, problems });
      const next = {
        records: progress.records + batch.length,
        added: progress.added + newPets.length,
        refused: progress.refused + batch.length - newPets.length,
        hash,
      };
      await store(newPets, progress, next);
      progress = next;
      observer.progressed(progress);
    }
    return progress;
  }

  async #validate({ data, problems = [] }: PetRecord): Promise<NewPet | readonly Problem[]> {
    try {
      return data ? NewPet.from(await this.shape.read(data)) : problems;
    } catch (error) {
      if (error instanceof InvalidInput) return error.problems;
      throw error;
    }
  }
}

/** The records after those that are done, in batches that are not empty, each with the hash of all up to its end. @throws NotResumable */
async function* batchesOf(
  records: AsyncIterable<PetRecord>,
  done: ImportProgress,
): AsyncGenerator<{ readonly batch: readonly PetRecord[]; readonly hash: string }> {
  const hash = new RecordsHash();
  const compare = () => {
    if (number !== done.records || hash.hex !== done.hash)
      throw new NotResumable(
        `This is not the file that was cut off after ${done.records} records under this name. Resume with that one, or use another name.`,
      );
  };
  let number = 0;
  let batch: PetRecord[] = [];
  for await (const record of records) {
    if (number === done.records) compare();
    number += 1;
    hash.add(record.text ?? '');
    if (number <= done.records) continue;
    batch.push(record);
    if (batch.length < BATCH_SIZE) continue;
    yield { batch, hash: hash.hex };
    batch = [];
  }
  if (number <= done.records) compare();
  if (batch.length > 0) yield { batch, hash: hash.hex };
}
