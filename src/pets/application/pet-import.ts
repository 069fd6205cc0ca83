import { InvalidInput, type Problem, type ProblemCode } from '../../kernel/domain-error.js';
import type { Events } from '../../kernel/events.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import { NewPet } from '../domain/new-pet.js';
import { Pet } from '../domain/pet.js';
import { PetAdded } from '../domain/pet-events.js';
import type { PetLine, RefusedLine } from '../domain/pet-line.js';
import type { ImportLedger, ImportProgress, ImportSource } from '../ports/import-ledger.js';
import type { PetRepository } from '../ports/pet-repository.js';
import type { PetShape } from '../ports/pet-shape.js';
import type { ImportWatch } from './import-watch.js';
import { batchesOf } from './line-batches.js';

const NOTHING: ImportProgress = { line: 0, added: 0, refused: 0 };

const OF_COLUMNS: ReadonlySet<ProblemCode> = new Set(['required', 'unknown_field', 'read_only_field']);

interface Needs {
  readonly pets: PetRepository;
  readonly shape: PetShape;
  readonly ids: Sequence;
  readonly events: Events;
  readonly units: UnitOfWork;
  readonly ledger: ImportLedger;
}

/** Brings many animals into the catalogue, judged one by one as a single one is. */
export class PetImport {
  constructor(private readonly needs: Needs) {}

  /** Judges every line and stores nothing. @returns what would become of them */
  async check(lines: AsyncIterable<PetLine[]>, watch: ImportWatch): Promise<ImportProgress> {
    return this.#each(NOTHING, lines, watch, async () => {});
  }

  /**
   * Adds an animal for each good line. With a `source` it goes on where an earlier import of the same one ended, at whatever
   * moment that was: each batch of animals and the note of its last line are one unit of work.
   * @returns what became of all lines, in earlier imports too. @throws ImportTaken
   */
  async run(
    lines: AsyncIterable<PetLine[]>,
    watch: ImportWatch,
    source?: ImportSource,
  ): Promise<ImportProgress> {
    if (source) await this.needs.ledger.begin(source);
    return this.#each(await this.progressOf(source), lines, watch, async (wishes, from, to) => {
      const pets: Pet[] = [];
      // Drawn before they are stored, so that storing can be tried again without twins.
      for (const wish of wishes) pets.push(Pet.admit(await this.needs.ids.next(), wish));
      await this.needs.units.run(async () => {
        await this.#add(pets);
        if (source) await this.needs.ledger.advance(source, from, to);
      });
    });
  }

  /** What is wrong with a table that has these columns, whatever stands in its cells. */
  objectionsToColumns(columns: readonly string[]): readonly Problem[] {
    const judged = this.#judge({ number: 1, data: Object.fromEntries(columns.map((name) => [name, ''])) });
    return 'problems' in judged ? judged.problems.filter(({ code }) => OF_COLUMNS.has(code)) : [];
  }

  /** How far earlier imports have come. */
  async progressOf(source?: ImportSource): Promise<ImportProgress> {
    return (source && (await this.needs.ledger.find(source))) ?? NOTHING;
  }

  /** Lets the next import of this source begin anew. */
  async forget(source: ImportSource): Promise<void> {
    await this.needs.ledger.forget(source);
  }

  async #add(pets: Pet[]): Promise<void> {
    await this.needs.pets.addAll(pets);
    for (const { id, name, categoryId, status } of pets) {
      await this.needs.events.tell(PetAdded, async () => ({ id, name, categoryId, status }));
    }
  }

  async #each(
    begun: ImportProgress,
    lines: AsyncIterable<PetLine[]>,
    watch: ImportWatch,
    store: (wishes: NewPet[], from: ImportProgress, to: ImportProgress) => Promise<void>,
  ): Promise<ImportProgress> {
    let progress = begun;
    for await (const batch of batchesOf(lines, begun.line)) {
      const wishes: NewPet[] = [];
      for (const line of batch) {
        const judged = this.#judge(line);
        if (judged instanceof NewPet) wishes.push(judged);
        else watch.refused(judged);
      }
      const { line, added, refused } = progress;
      const next = {
        line: batch.at(-1)?.number ?? line,
        added: added + wishes.length,
        refused: refused + batch.length - wishes.length,
      };
      await store(wishes, progress, next);
      progress = next;
      watch.progressed(progress);
    }
    return progress;
  }

  #judge(line: PetLine): NewPet | RefusedLine {
    if ('problems' in line) return line;
    try {
      return NewPet.from(this.needs.shape.read(line.data));
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      return { number: line.number, problems: error.problems };
    }
  }
}
