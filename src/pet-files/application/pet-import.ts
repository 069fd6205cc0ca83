import { InvalidInput, type Problem, type ProblemCode } from '../../kernel/domain-error.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import { type BulkPets, NewPet, type PetShape } from '../../pets/index.js';
import type { ImportLedger, ImportProgress, ImportSource } from '../ports/import-ledger.js';

/** The number of lines that are stored together: few enough to make other writers wait only some milliseconds. */
const BATCH_SIZE = 500;

export const NOTHING: ImportProgress = { line: 0, added: 0, refused: 0 };

const COLUMN_PROBLEMS: ReadonlySet<ProblemCode> = new Set(['required', 'unknown_field', 'read_only_field']);

/** A line of a file of pets: its data, not validated yet, and why it, or a field of it, cannot be read. */
export interface PetLine {
  readonly number: number;
  readonly data?: object;
  readonly problems?: readonly Problem[];
}

/** A line that is refused, with all its problems. */
export type RefusedLine = Required<Omit<PetLine, 'data'>>;

/** Observes an import while it runs. */
export interface ImportObserver {
  /** Called at least once for each refused line, before the progress after it is stored. */
  refused(line: RefusedLine): void;
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

  /** Validates every line and stores nothing. @returns the result of a real import */
  check(lines: AsyncIterable<PetLine[]>, observer: ImportObserver): Promise<ImportProgress> {
    return this.#each(NOTHING, lines, observer, async () => {});
  }

  /**
   * Adds a pet for each valid line. With a `source` it continues where an earlier import of the same one ended, whenever that
   * was: each batch of pets and the progress behind it are one unit of work. @returns the result for all lines, including those
   * of earlier imports. @throws ImportTaken
   */
  async run(
    lines: AsyncIterable<PetLine[]>,
    observer: ImportObserver,
    source?: ImportSource,
  ): Promise<ImportProgress> {
    if (source) await this.ledger.begin(source);
    return this.#each(await this.progressOf(source), lines, observer, async (newPets, from, to) => {
      const pets = await this.pets.create(newPets);
      await this.units.run(async () => {
        await this.pets.addAll(pets);
        if (source) await this.ledger.advance(source, from, to);
      });
    });
  }

  /** The problems of a table with these columns, independent of its cells. */
  async validateColumns(columns: readonly string[]): Promise<readonly Problem[]> {
    const result = await this.#validate({
      number: 1,
      data: Object.fromEntries(columns.map((name) => [name, ''])),
    });
    return 'problems' in result ? result.problems.filter(({ code }) => COLUMN_PROBLEMS.has(code)) : [];
  }

  /** The progress of earlier imports. */
  async progressOf(source?: ImportSource): Promise<ImportProgress> {
    return (source && (await this.ledger.find(source))) ?? NOTHING;
  }

  /** Lets the next import of this source start from its beginning. */
  async forget(source: ImportSource): Promise<void> {
    await this.ledger.forget(source);
  }

  async #each(
    begun: ImportProgress,
    lines: AsyncIterable<PetLine[]>,
    observer: ImportObserver,
    store: (newPets: NewPet[], from: ImportProgress, to: ImportProgress) => Promise<void>,
  ): Promise<ImportProgress> {
    let progress = begun;
    for await (const batch of batchesOf(lines, begun.line)) {
      const results = await Promise.all(batch.map((line) => this.#validate(line)));
      const newPets = results.filter((result) => result instanceof NewPet);
      const refused = results.filter((result) => 'problems' in result);
      for (const line of refused) observer.refused(line);
      const next = {
        line: batch.at(-1)!.number,
        added: progress.added + newPets.length,
        refused: progress.refused + refused.length,
      };
      await store(newPets, progress, next);
      progress = next;
      observer.progressed(progress);
    }
    return progress;
  }

  async #validate({ number, data, problems = [] }: PetLine): Promise<NewPet | RefusedLine> {
    try {
      const newPet = data && NewPet.from(await this.shape.read(data));
      return newPet && problems.length === 0 ? newPet : { number, problems };
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const others = error.problems.filter(({ field }) => !problems.some((known) => known.field === field));
      return { number, problems: [...problems, ...others] };
    }
  }
}

/** The lines after the number `after`, in batches that are not empty. */
async function* batchesOf(lines: AsyncIterable<PetLine[]>, after: number): AsyncGenerator<PetLine[]> {
  const waiting: PetLine[] = [];
  for await (const some of lines) {
    for (const line of some) if (line.number > after) waiting.push(line);
    while (waiting.length >= BATCH_SIZE) yield waiting.splice(0, BATCH_SIZE);
  }
  if (waiting.length > 0) yield waiting;
}
