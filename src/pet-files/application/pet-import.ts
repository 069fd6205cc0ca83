import { InvalidInput, type Problem, type UnitOfWork } from '../../kernel/index.js';
import { type BulkPets, NewPet, type PetShape } from '../../pets/index.js';
import { RecordsHash } from '../domain/hashes.js';
import { type ImportLedger, type ImportProgress, NotResumable } from '../ports/import-ledger.js';

/** The number of records that are stored together. It is small, so that other writers wait only some milliseconds. */
const BATCH_SIZE = 500;

const NOTHING: ImportProgress = { records: 0, added: 0, refused: 0, hash: new RecordsHash().hex };

/** A record of a file of pets: its data, not validated yet, or the reason why it cannot be read. */
export interface PetRecord {
  /** Distinguishes this record from others. An import with a name needs it. */
  readonly text?: string;
  readonly data?: object;
  readonly problems?: readonly Problem[];
}

/** A rejected record, with its number, from 1, and all its problems. */
export interface RefusedRecord {
  readonly record: number;
  readonly problems: readonly Problem[];
}

/** Observes an import while it runs. */
export interface ImportObserver {
  /** Called at least once for each rejected record, before the progress after it is stored. */
  refused(record: RefusedRecord): void;
  /** Called at the beginning and after each batch. */
  progressed(progress: ImportProgress): void;
}

type Records = AsyncIterable<PetRecord>;

/** Adds many pets to the catalogue. Each is validated like a pet that is added alone. */
export class PetImport {
  constructor(
    private readonly pets: BulkPets,
    private readonly shape: PetShape,
    private readonly units: UnitOfWork,
    private readonly ledger: ImportLedger,
  ) {}

  /** Validates every record and stores nothing. @returns the result that an import would have */
  check(records: Records, observer: ImportObserver): Promise<ImportProgress> {
    return this.#each(NOTHING, records, observer, async () => {});
  }

  /**
   * Adds a pet for each valid record. With a name it continues after the last record of an earlier import of that name. Each
   * batch of pets and its progress are one unit of work. @returns the result for all records, including records of earlier
   * imports @throws NotResumable, ImportTaken
   */
  async run(records: Records, observer: ImportObserver, name?: string): Promise<ImportProgress> {
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

  /**
   * Skips the records that are done, and stores the others in batches. @throws NotResumable if the input begins with other
   * records than the earlier import
   */
  async #each(
    begun: ImportProgress,
    records: Records,
    observer: ImportObserver,
    store: (newPets: NewPet[], from: ImportProgress, to: ImportProgress) => Promise<void>,
  ): Promise<ImportProgress> {
    const hash = new RecordsHash();
    let done = begun;
    let number = 0;
    let batch: NewPet[] = [];
    const storeBatch = async () => {
      const added = done.added + batch.length;
      const reached = { records: number, added, refused: number - added, hash: hash.hex };
      await store(batch, done, reached);
      observer.progressed(reached);
      [done, batch] = [reached, []];
    };

    observer.progressed(begun);
    for await (const record of records) {
      number += 1;
      hash.add(record.text ?? '');
      if (number === begun.records && hash.hex !== begun.hash) throw otherFile(begun);
      if (number <= begun.records) continue;
      const judged = await this.#validate(record);
      if (judged instanceof NewPet) batch.push(judged);
      else observer.refused({ record: number, problems: judged });
      if (number % BATCH_SIZE === 0) await storeBatch();
    }
    if (number < begun.records) throw otherFile(begun);
    if (number > done.records) await storeBatch();
    return done;
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

const otherFile = ({ records }: ImportProgress) =>
  new NotResumable(
    `This is not the file that was cut off after ${records} records under this name. Resume with that one, or use another name.`,
  );
