import { Injectable } from '@nestjs/common';
import type { ValueTransformer } from 'typeorm';
import { Int64, type Page, pageOf, type Properties } from '../../../kernel/index.js';
import { Batch, JoiningDataSource, RepeatedInserts } from '../../../platform/database/index.js';
import { Pet } from '../../domain/pet.js';
import { PetRepository, type PetSelection } from '../../ports/pet-repository.js';
import { PetSchema } from './pet.schema.js';
import { TypeOrmPetRepository } from './typeorm-pet-repository.js';

/** With fewer concurrent batches, a few clients would wait for each other. */
const BATCHES = { maxItems: 128, maxConcurrent: 4, spread: false };
/**
 * With fewer statements at once, each statement reads more pages. That costs the service and the database less than more
 * statements.
 */
const PAGE_BATCHES = { maxItems: 32, maxConcurrent: 2, spread: true, areGathered: true };

/** The properties of a pet and their columns, taken from the schema, so that a new property needs no change here. */
const COLUMNS = Object.entries(PetSchema.options.columns).map(([property, column]) => ({
  property: property as keyof Properties<Pet>,
  name: column!.name ?? property,
  transformer: column!.transformer as ValueTransformer | undefined,
}));
const NAMES = COLUMNS.map(({ name }) => name).join(', ');
const SELECTED = COLUMNS.map(({ name, property }) => `${name} AS ${property}`).join(', ');
const PLACES = `(${COLUMNS.map(() => '?').join(', ')})`;

/** The properties of a pet in the types of the driver. */
type PetRow = Record<keyof Properties<Pet>, unknown>;

/** A statement that reads a page and one pet more. */
interface PageRead {
  readonly statement: string;
  readonly values: readonly unknown[];
}

/**
 * An exception, which no other module should copy: this is the hot path around the plain repository. Concurrent reads, pages and
 * inserts are each sent to the database as one statement. It doubled the gets and creates per second (26 November 2026). Its
 * three statements are written by hand, because building them and creating entities from rows costs more than the database needs.
 * Inside a unit of work, and for all other calls, it delegates to the plain repository.
 */
@Injectable()
export class BatchedPetRepository extends PetRepository {
  readonly #reads = new Batch((ids: Int64[]) => this.#findAll(ids), { name: 'reads', ...BATCHES });
  readonly #writes = new Batch((pets: Pet[]) => this.#addAll(pets), { name: 'writes', ...BATCHES });
  readonly #pages = new Batch((pages: PageRead[]) => this.#readPages(pages), {
    name: 'pages',
    ...PAGE_BATCHES,
  });
  readonly #inserts: RepeatedInserts<Pet>;
  readonly #onSqlite: boolean;
  readonly #page: string;
  readonly #pageOfStatus: string;

  constructor(
    private readonly plain: TypeOrmPetRepository,
    private readonly source: JoiningDataSource,
  ) {
    super();
    this.#inserts = new RepeatedInserts(source.getRepository(Pet));
    this.#onSqlite = source.options.type === 'better-sqlite3';
    // The index keeps the engine from reading pets of other statuses, whatever its statistics suggest.
    const indexed = this.#onSqlite ? 'INDEXED BY pets_by_status' : 'FORCE INDEX (pets_by_status)';
    this.#page = `SELECT ${SELECTED} FROM pets WHERE id <= ? ORDER BY id DESC LIMIT ?`;
    this.#pageOfStatus = `SELECT ${SELECTED} FROM pets ${indexed} WHERE status = ? AND id <= ? ORDER BY id DESC LIMIT ?`;
  }

  override add(pet: Pet): Promise<void> {
    return this.source.insideTransaction ? this.plain.add(pet) : this.#writes.add(pet);
  }

  override addAll(pets: readonly Pet[]): Promise<void> {
    return this.plain.addAll(pets);
  }

  override find(id: Int64): Promise<Pet | undefined> {
    return this.source.insideTransaction ? this.plain.find(id) : this.#reads.add(id);
  }

  override lock(id: Int64): Promise<Pet | undefined> {
    return this.plain.lock(id);
  }

  override async list(selection: PetSelection): Promise<Page<Pet>> {
    const { filter = {}, sort, range, after, limit } = selection;
    const isCommon = !sort && !range && Object.keys(filter).every((property) => property === 'status');
    if (!isCommon || this.source.insideTransaction) return this.plain.list(selection);
    const { status } = filter;
    // The largest id that the page may have. Ids are positive.
    const newest = after === undefined ? Int64.MAX : after.id > 0n ? after.id - 1n : 0n;
    const found = await this.#pages.add(
      status === undefined
        ? { statement: this.#page, values: [newest, limit + 1] }
        : { statement: this.#pageOfStatus, values: [status, newest, limit + 1] },
    );
    return pageOf(found, selection);
  }

  override change(id: Int64, change: (pet: Pet) => Pet): Promise<Pet> {
    return this.plain.change(id, change);
  }

  async #findAll(ids: Int64[]): Promise<(Pet | undefined)[]> {
    const condition = ids.length === 1 ? 'id = ?' : `id IN (${repeated('?', ids.length)})`;
    const pets = await this.#read(`SELECT ${SELECTED} FROM pets WHERE ${condition}`, ids);
    const byId = new Map(pets.map((pet) => [pet.id, pet]));
    return ids.map((id) => byId.get(id));
  }

  /**
   * Reads several pages with one statement on MySQL, where a round trip costs more than finding a page. SQLite has no round
   * trips.
   */
  async #readPages(pages: PageRead[]): Promise<Pet[][]> {
    if (this.#onSqlite || pages.length === 1) {
      return Promise.all(pages.map(({ statement, values }) => this.#read(statement, values)));
    }
    const parts = pages.map(({ statement }, i) => `(${statement.replace('SELECT', `SELECT ${i} AS page,`)})`);
    const values = pages.flatMap((page) => page.values);
    const rows: (PetRow & { page: number })[] = await this.source.query(parts.join(' UNION ALL '), values);
    const found: Pet[][] = pages.map(() => []);
    for (const row of rows) found[Number(row.page)]!.push(petFrom(row));
    return found;
  }

  async #addAll(pets: Pet[]): Promise<void[]> {
    const statement = `INSERT INTO pets (${NAMES}) VALUES ${repeated(PLACES, pets.length)}`;
    const values = pets.flatMap((pet) =>
      COLUMNS.map(({ property, transformer }) =>
        transformer ? (transformer.to(pet[property]) as unknown) : (pet[property] ?? null),
      ),
    );
    await this.#inserts.run(pets, (manager) => manager.query(statement, values));
    return pets.map(() => {});
  }

  async #read(statement: string, values: readonly unknown[]): Promise<Pet[]> {
    const rows: PetRow[] = await this.source.query(statement, values as unknown[]);
    return rows.map(petFrom);
  }
}

/** Takes only the columns of a pet, because a row of several pages also has the number of its page. */
function petFrom(row: PetRow): Pet {
  const properties: Partial<PetRow> = {};
  for (const { property, transformer } of COLUMNS) {
    const value = row[property];
    properties[property] = transformer ? transformer.from(value) : value;
  }
  return Pet.restore(properties as Properties<Pet>);
}

const repeated = (place: string, count: number) => Array.from({ length: count }, () => place).join(', ');
