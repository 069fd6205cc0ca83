import { InvalidInput, type Problem, type ProblemCode } from '../../kernel/domain-error.js';
import type { Events } from '../../kernel/events.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import { NewPet } from '../domain/new-pet.js';
import { Pet } from '../domain/pet.js';
import { PetAdded } from '../domain/pet-events.js';
import type { ImportLedger, ImportProgress, ImportSource } from '../ports/import-ledger.js';
import type { PetRepository } from '../ports/pet-repository.js';
import type { PetShape } from '../ports/pet-shape.js';

/** The number of lines that are stored together: few enough to make other writers wait only some milliseconds. */
const BATCH_SIZE = 500;

const NOTHING: ImportProgress = { line: 0, added: 0, refused: 0 };

const COLUMN_PROBLEMS: ReadonlySet<ProblemCode> = new Set(['required', 'unknown_field', 'read_only_field']);

/** A line of a file of pets: its data, not validated yet, or why it cannot be read. */
export type PetLine = { readonly number: number } & (
  { readonly data: object } | { readonly problems: readonly Problem[] }
);

/** A line that is refused, with all its problems. */
export interface RefusedLine {
  readonly number: number;
  readonly problems: readonly Problem[];
}

/** Observes an import while it runs. */
export interface ImportObserver {
  /** Called at least once for each refused line, before the progress after it is stored. */
  refused(line: RefusedLine): void;
  progressed(progress: ImportProgress): void;
}

/** Adds many pets to the catalogue, each validated as a single one is. */
export class PetImport {
  constructor(
    private readonly pets: PetRepository,
    private readonly shape: PetShape,
    private readonly ids: Sequence,
    private readonly events: Events,
    private readonly units: UnitOfWork,
    private readonly ledger: ImportLedger,
  ) {}

  /** Validates every line and stores nothing. @returns the result of a real import */
  async check(lines: AsyncIterable<PetLine[]>, observer: ImportObserver): Promise<ImportProgress> {
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
      const pets: Pet[] = [];
      // Ids are generated before the pets are stored, so that a retry cannot store them twice.
      for (const newPet of newPets) pets.push(Pet.create(await this.ids.next(), newPet));
      await this.units.run(async () => {
        await this.#add(pets);
        if (source) await this.ledger.advance(source, from, to);
      });
    });
  }

  /** The problems of a table with these columns, independent of its cells. */
  validateColumns(columns: readonly string[]): readonly Problem[] {
    const result = this.#validate({ number: 1, data: Object.fromEntries(columns.map((name) => [name, ''])) });
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

  async #add(pets: Pet[]): Promise<void> {
    await this.pets.addAll(pets);
    await this.events.append(
      pets.map(({ id, name, categoryId, status }) => PetAdded.of({ id, name, categoryId, status })),
      { areFirst: true },
    );
  }

  async #each(
    begun: ImportProgress,
    lines: AsyncIterable<PetLine[]>,
    observer: ImportObserver,
    store: (newPets: NewPet[], from: ImportProgress, to: ImportProgress) => Promise<void>,
  ): Promise<ImportProgress> {
    let progress = begun;
    for await (const batch of batchesOf(lines, begun.line)) {
      const newPets: NewPet[] = [];
      for (const line of batch) {
        const result = this.#validate(line);
        if (result instanceof NewPet) newPets.push(result);
        else observer.refused(result);
      }
      const { line, added, refused } = progress;
      const next = {
        line: batch.at(-1)?.number ?? line,
        added: added + newPets.length,
        refused: refused + batch.length - newPets.length,
      };
      await store(newPets, progress, next);
      progress = next;
      observer.progressed(progress);
    }
    return progress;
  }

  #validate(line: PetLine): NewPet | RefusedLine {
    if ('problems' in line) return line;
    try {
      return NewPet.from(this.shape.read(line.data));
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      return { number: line.number, problems: error.problems };
    }
  }
}

/** The lines after the number `after`, in batches. */
async function* batchesOf(lines: AsyncIterable<PetLine[]>, after: number): AsyncGenerator<PetLine[]> {
  let waiting: PetLine[] = [];
  for await (const some of lines) {
    for (const line of some) if (line.number > after) waiting.push(line);
    while (waiting.length >= BATCH_SIZE) {
      yield waiting.slice(0, BATCH_SIZE);
      waiting = waiting.slice(BATCH_SIZE);
    }
  }
  if (waiting.length > 0) yield waiting;
}
