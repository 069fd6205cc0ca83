import { type ColumnType, DataSource, type EntitySchemaColumnOptions, In, type Repository } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onMySqlToo } from '../support/engines.js';
import { EvolvingDatabase, table } from '../support/evolving-database.js';

/** A value that is read as it was stored, or a value and what it becomes. */
type Sample = readonly [stored: unknown, read?: unknown];
type Works = readonly [column: EntitySchemaColumnOptions, ...samples: Sample[]];

const instant = new Date('2026-05-02T10:00:00.501Z');
const wholeSecond = new Date('2026-05-02T10:00:00Z');
const bytes = Buffer.from([0, 1, 255]);
const smallInt: Sample[] = [[100], [-7]];
const double: Sample[] = [[0.1], [1 / 3], [-1e300], [123_456_789]];
const decimal: Sample[] = [
  ['-1.50'],
  [1.5, '1.50'],
  ['1.005', '1.01'],
  ['-1.005', '-1.01'],
  ['.5', '0.50'],
  ['-0', '0.00'],
  [1e-7, '0.00'],
  ['999.99'],
];
const texts: Sample[] = [['Ada'], [' a'], [''], [5, '5'], [1.5, '1.5']];
const padded: Sample[] = [...texts, ['a ', 'a']];
const longTexts: Sample[] = [...texts, ['a '], ['😀'.repeat(50)]];
const anyBytes: Sample[] = [
  [bytes],
  [Buffer.alloc(0)],
  [new Uint8Array(bytes), bytes],
  ['ü', Buffer.from('ü')],
];

/** The types of TypeORM's MySQL driver that work on each engine, with values. */
const WORKING: Readonly<Record<string, Works>> = {
  int: [{ type: 'int' }, [2_147_483_647], [-1]],
  integer: [{ type: 'integer' }, ...smallInt],
  tinyint: [{ type: 'tinyint' }, ...smallInt, [true, 1]],
  smallint: [{ type: 'smallint' }, ...smallInt],
  mediumint: [{ type: 'mediumint' }, ...smallInt],
  bigint: [{ type: 'bigint' }, ['9223372036854775807'], ['-5'], [5, '5'], [7n, '7']],
  double: [{ type: 'double' }, ...double],
  'double precision': [{ type: 'double precision' }, ...double],
  real: [{ type: 'real' }, ...double],
  decimal: [{ type: 'decimal', precision: 5, scale: 2 }, ...decimal],
  dec: [{ type: 'dec', precision: 5, scale: 2 }, ...decimal],
  numeric: [{ type: 'numeric', precision: 5, scale: 2 }, ...decimal],
  fixed: [{ type: 'fixed', precision: 5, scale: 2 }, ...decimal],
  bool: [{ type: 'bool' }, [true], [false]],
  boolean: [{ type: 'boolean' }, [true], [false]],
  date: [{ type: 'date' }, ['2026-01-02'], ['0001-01-01'], [new Date(2026, 0, 2, 3), '2026-01-02']],
  datetime: [
    { type: 'datetime' },
    [wholeSecond],
    [instant, wholeSecond],
    ['2026-05-02T10:00:00Z', wholeSecond],
  ],
  timestamp: [{ type: 'timestamp' }, [wholeSecond], [instant, wholeSecond]],
  time: [
    { type: 'time' },
    ['10:00:01'],
    ['-01:00:00'],
    ['838:59:59'],
    ['10:00', '10:00:00'],
    ['1:2:3', '01:02:03'],
    ['10:00:00.6', '10:00:00'],
    [new Date(2026, 0, 2, 3, 4, 5), '03:04:05'],
  ],
  year: [{ type: 'year' }, [2026], ['1999', 1999]],
  char: [{ type: 'char', length: 5 }, ...padded],
  nchar: [{ type: 'nchar', length: 5 }, ...padded],
  'national char': [{ type: 'national char', length: 5 }, ...padded],
  varchar: [{ type: 'varchar' }, ...longTexts],
  nvarchar: [{ type: 'nvarchar' }, ...longTexts],
  'national varchar': [{ type: 'national varchar' }, ...longTexts],
  tinytext: [{ type: 'tinytext' }, ...longTexts],
  text: [{ type: 'text' }, ...longTexts],
  mediumtext: [{ type: 'mediumtext' }, ...longTexts],
  longtext: [{ type: 'longtext' }, ...longTexts],
  uuid: [{ type: 'uuid' }, ['123e4567-e89b-12d3-a456-426614174000']],
  json: [
    { type: 'json' },
    ...[
      '123',
      'true',
      'null',
      '"x"',
      '{}',
      '',
      'Ada',
      123,
      -0.5,
      true,
      false,
      [],
      [null],
      { b: [1, { a: null }] },
    ].map((value) => [value] as const),
  ],
  enum: [{ type: 'enum', enum: ['red', 'light (blue)'] }, ['red'], ['light (blue)']],
  binary: [{ type: 'binary', length: 3 }, [bytes], [Buffer.from([7]), Buffer.from([7, 0, 0])]],
  varbinary: [{ type: 'varbinary', length: 3 }, ...anyBytes],
  tinyblob: [{ type: 'tinyblob' }, ...anyBytes],
  blob: [{ type: 'blob' }, ...anyBytes],
  mediumblob: [{ type: 'mediumblob' }, ...anyBytes],
  longblob: [{ type: 'longblob' }, ...anyBytes],
};

/** Types that TypeORM has besides those of a driver, and options that change what a type keeps. */
const VARIANTS: Readonly<Record<string, Works>> = {
  'simple-array': [{ type: 'simple-array' }, [['a', 'b']], [[]]],
  'simple-json': [{ type: 'simple-json' }, ['123'], ['null'], [{ b: [1] }]],
  'simple-enum': [{ type: 'simple-enum', enum: [1, 2] }, [1], [2]],
  Number: [{ type: Number }, [5]],
  String: [{ type: String }, ...longTexts],
  Boolean: [{ type: Boolean }, [true], [false]],
  Date: [{ type: Date }, [wholeSecond]],
  Buffer: [{ type: Buffer as unknown as ColumnType }, ...anyBytes],
  'datetime(3)': [{ type: 'datetime', precision: 3 }, [instant]],
  'timestamp(6)': [{ type: 'timestamp', precision: 6 }, [instant]],
  'time(3)': [{ type: 'time', precision: 3 }, ['10:00:01.500'], ['10:00:01', '10:00:01.000']],
  'enum of numbers': [{ type: 'enum', enum: [1, 2] }, [1], [2]],
  'decimal without a scale': [{ type: 'decimal' }, ['5'], ['-1234567890'], ['2.5', '3'], ['-0.4', '0']],
  'decimal(2, 2)': [{ type: 'decimal', precision: 2, scale: 2 }, ['-0.99'], ['0.99']],
  'bigint with a transformer': [
    { type: 'bigint', transformer: { to: String, from: (stored: unknown) => [typeof stored, stored] } },
    [5, ['string', '5']],
  ],
};

/** The types of TypeORM's MySQL driver that no engine starts with, and what the error says to use. */
const REFUSED: Readonly<
  Record<string, readonly [instead: string, more?: Partial<EntitySchemaColumnOptions>]>
> = {
  float: ['double'],
  bit: ['boolean'],
  set: ['simple-array', { enum: ['a', 'b'] }],
  inet4: ['varchar'],
  inet6: ['varchar'],
  vector: ['json', { length: 2 }],
  ...Object.fromEntries(
    [
      'geometry',
      'point',
      'linestring',
      'polygon',
      'multipoint',
      'multilinestring',
      'multipolygon',
      'geometrycollection',
    ].map((type) => [type, ['json']]),
  ),
};

const CASES = Object.entries({ ...WORKING, ...VARIANTS }).map(([type, [column, ...samples]], at) => ({
  type,
  name: `kind_${at}`,
  column,
  samples,
}));

type Held = { id: number; held: unknown };

describe('each type of column that TypeORM has for MySQL', () => {
  it('is in the tables of this test', () => {
    const { driver } = new DataSource({ type: 'mysql', database: 'none' });
    expect([...Object.keys(WORKING), ...Object.keys(REFUSED)].toSorted()).toEqual(
      driver.supportedDataTypes.toSorted(),
    );
  });

  onMySqlToo((engine) => {
    const entities = CASES.map(({ name, column }) => table(name, { held: column }));
    let tables: EvolvingDatabase;
    beforeAll(async () => {
      tables = await EvolvingDatabase.create(engine);
      await tables.become(...entities);
    });
    afterAll(() => tables.database.drop());
    const within = (name: string, work: (rows: Repository<Held>) => Promise<void>) =>
      tables.with(entities, async (source) => {
        source.open();
        await work(source.getRepository<Held>(name));
      });

    it('has the same migration and schema', async () =>
      expect((await tables.differenceTo(...entities)).forwards).toEqual([]));

    if (engine.name === 'SQLite')
      it('is part of a STRICT table, except an enum', async () => {
        const loose = await tables.database.query(
          "SELECT name FROM pragma_table_list WHERE strict = 0 AND name LIKE 'kind%' ORDER BY name",
        );
        const enums = CASES.filter(({ column }) => column.enum).map(({ name }) => ({ name }));
        expect(loose).toEqual(enums.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
      });

    it.each(CASES)('gives back what was stored: $type', ({ name, samples }) =>
      within(name, async (rows) => {
        const [[first]] = samples as [Sample];
        for (const [at, [stored, read = stored]] of samples.entries()) {
          const [inserted, updated] = [2 * at, 2 * at + 1];
          await rows.insert([
            { id: inserted, held: stored },
            { id: updated, held: first },
          ] as object[]);
          const update = rows
            .createQueryBuilder()
            .update()
            .set({ held: stored } as object);
          await update.where({ id: updated }).execute();
          const found = await rows
            .createQueryBuilder('one')
            .where({ id: In([inserted, updated]) })
            .getMany();
          expect(found.map(({ held }) => held)).toStrictEqual([read, read]);
        }
      }),
    );

    it('rejects a number that its decimal cannot hold', () =>
      within(CASES.find(({ type }) => type === 'decimal(2, 2)')!.name, async (rows) => {
        for (const held of ['9.99', '-1', '0.995'])
          await expect(rows.insert({ id: 99, held } as object)).rejects.toThrow(/[Oo]ut of range/);
      }));

    it.each(Object.entries(REFUSED))('prevents the start: %s', async (type, [instead, more]) => {
      const kind = table('kind', { held: { type: type as ColumnType, ...more } });
      const sentence = new RegExp(
        `^held of kind cannot have the type ${type}, because .*\\b${instead}\\b[^.]*\\.$`,
      );
      await expect(tables.with([kind], () => Promise.resolve())).rejects.toThrow(sentence);
    });

    it('returns JSON as text from a statement that is not of an entity', () =>
      within(CASES.find(({ type }) => type === 'json')!.name, async (rows) => {
        await rows.insert([
          { id: 1_001, held: '123' },
          { id: 1_002, held: [1] },
        ] as object[]);
        const { tableName } = rows.metadata;
        expect(await rows.query(`SELECT held FROM ${tableName} WHERE id > 1000 ORDER BY id`)).toEqual([
          { held: '"123"' },
          { held: '[1]' },
        ]);
        const raw = rows.createQueryBuilder('one').select('one.held', 'held').where('one.id = 1002');
        expect(await raw.getRawMany()).toEqual([{ held: '[1]' }]);
      }));
  });
});
