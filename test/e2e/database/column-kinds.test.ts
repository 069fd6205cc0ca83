import {
  Entity,
  EntitySchema,
  type EntitySchemaColumnOptions,
  In,
  LessThan,
  MoreThan,
  PrimaryColumn,
  type Repository,
  UpdateDateColumn,
} from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entity as Mapped } from '../../support/rooms/database.js';
import {
  changeRow,
  columns,
  DatabaseUnavailable,
  DuplicateKey,
  insertOnce,
  RepeatedInserts,
  valuesOf,
} from '../../../src/platform/database/index.js';
import { onMySqlToo } from '../../support/engines.js';
import { EvolvingDatabase, table } from '../../support/evolving-database.js';

interface Kind {
  readonly id: number;
  readonly [held: string]: unknown;
}

/** Each kind of column with two different values. */
const KINDS: Readonly<
  Record<string, readonly [column: EntitySchemaColumnOptions, value: unknown, other: unknown]>
> = {
  anInt64: [columns.int64(), 9_223_372_036_854_775_807n, -1n],
  anInstant: [columns.instant(), new Date('2026-05-02T10:00:00.001Z'), new Date(0)],
  aBoolean: [columns.boolean(), true, false],
  anOptionalBoolean: [columns.boolean({ nullable: true }), true, undefined],
  aText: [columns.text(20), 'Ada ', 'ada'],
  aDecimal: [columns.decimal(10, 2), '12345678.90', '-0.05'],
  aLongDecimal: [columns.decimal(18, 4), '12345678901234.5678', '0.0000'],
  anOptionalDecimal: [columns.decimal(4, 0, { nullable: true, default: 12 }), '12', undefined],
  aDay: [columns.day(), '2026-11-20', '1969-12-31'],
  someBytes: [columns.bytes(3072), Buffer.from([0, 255, 0x27, 0x5c]), Buffer.alloc(0)],
  anImage: [columns.bytes(100_000), Buffer.alloc(100_000, 0xff), Buffer.from([7])],
  optionalBytes: [columns.bytes(20, { nullable: true }), Buffer.from('Ada'), undefined],
  anOptionalDay: [columns.day({ nullable: true }), '2026-11-20', undefined],
  someWords: [columns.words(100, { default: '[]' }), ['two words', "it's,", ''], []],
  itsDecimal: [{ type: 'decimal', precision: 10, scale: 2 }, '12345678.90', '-0.05'],
  itsDecimalWithDefault: [{ type: 'decimal', precision: 15, scale: 2, default: 0 }, '1.50', '0.00'],
  itsDate: [{ type: 'date' }, '2026-11-20', '2026-03-01'],
  aDouble: [{ type: 'double', default: 0.5 }, 0.1, -1e300],
  anOptionalDouble: [{ type: 'double', nullable: true }, 1e-7, null],
  anInt: [{ type: 'int', default: 7 }, 1, 0],
  aVarchar: [{ type: 'varchar', length: 20, default: 'brown' }, 'a', 'b'],
  aLongText: [{ type: 'text' }, 'a', 'b'],
  aDatetime: [{ type: 'datetime', precision: 3 }, new Date('2026-05-02T10:00:00.001Z'), new Date(0)],
  aSimpleArray: [{ type: 'simple-array' }, ['a', 'b'], ['b']],
  simpleJson: [{ type: 'simple-json' }, { b: [1, { a: null }], a: "it's" }, []],
  someJson: [{ type: 'json' }, { b: [1, { a: null }], a: "it's" }, ['x', 2]],
};
const COLUMNS = Object.entries(KINDS).map(([name, [column]]) => [name, column] as const);
const rowOf = (which: 1 | 2): Kind => ({
  id: 1,
  ...Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, kind[which]])),
});

describe('columns of all kinds', () =>
  onMySqlToo((engine) => {
    let tables: EvolvingDatabase;
    beforeEach(async () => void (tables = await EvolvingDatabase.create(engine)));
    afterEach(() => tables.database.drop());

    /** Writes and reads a row and its other values, with the tables of a migration that agrees with the entity. */
    const expectKept = async (entity: Mapped, row: Kind, other: Kind) => {
      await tables.become(entity);
      expect((await tables.differenceTo(entity)).forwards).toEqual([]);
      if (engine.name === 'SQLite') {
        const [made] = await tables.database.query("SELECT sql FROM sqlite_master WHERE name = 'kind'");
        expect(made!['sql']).toMatch(/STRICT$/);
      }
      await tables.with([entity], async (source) => {
        source.open();
        const rows = source.getRepository('kind') as Repository<Kind>;
        const now = async () => ({ ...(await rows.findOneByOrFail({ id: 1 })) });
        let tries = 0;
        await new RepeatedInserts(rows).run([row], async (manager) => {
          await manager.insert('kind', { ...row });
          // As if the answer of the first try was lost.
          if (++tries === 1) throw new DatabaseUnavailable(undefined, 'lost');
        });
        expect([await now(), tries]).toEqual([row, 1]);
        for (const taken of [row, other])
          await expect(insertOnce(rows, { ...taken })).rejects.toThrow(DuplicateKey);
        await rows.update({ id: 1 }, valuesOf(rows, other));
        expect(await now()).toEqual(other);
        await changeRow(rows, { id: 1 }, () => row, ['id']);
        expect(await now()).toEqual(row);
      });
    };

    it('keep their values', () => expectKept(table('kind', Object.fromEntries(COLUMNS)), rowOf(1), rowOf(2)));

    it('keep their values in an embedded entity, which may be absent', async () => {
      const price = new EntitySchema<{ amount: string }>({
        name: 'price',
        columns: {
          amount: columns.decimal(10, 2, { nullable: true }),
          currency: columns.word(3, { nullable: true }),
          taxes: { type: 'simple-json', nullable: true },
        } as never,
      });
      const kind = table('kind', {}, { embeddeds: { held: { schema: price, prefix: 'price_' } } });
      const euros = { amount: '12.50', currency: 'EUR', taxes: [{ rate: 7 }] };
      const of = (held: unknown): Kind => ({ id: 1, held });
      await expectKept(kind, of(euros), of({ ...euros, amount: '0.00', taxes: [] }));
      await tables.with([kind], async (source) => {
        source.open();
        const rows = source.getRepository('kind') as Repository<Kind>;
        await rows.update({ id: 1 }, valuesOf(rows, { id: 1, held: undefined }));
        const [stored] = await tables.database.query('SELECT * FROM kind');
        expect(Object.values(stored!)).toEqual([1, null, null, null]);
      });
    });

    it('are sorted and compared by value, and decimals are summed exactly', async () => {
      const kind = table('kind', {
        held: columns.decimal(18, 2),
        own: { type: 'decimal', precision: 12, scale: 2 },
        day: columns.day(),
      });
      await tables.become(kind);
      await tables.with([kind], async (source) => {
        source.open();
        const rows = source.getRepository('kind');
        const amounts = ['9.00', '10.10', '-1.00', '0.20'];
        for (const [id, held] of amounts.entries())
          await rows.insert({ id, held, own: held, day: `2026-01-${String(20 - id)}` });
        const sorted = ['-1.00', '0.20', '9.00', '10.10'];
        for (const by of ['held', 'own'])
          expect((await rows.find({ order: { [by]: 'ASC' } })).map((found) => found[by])).toEqual(sorted);
        expect(
          await rows.countBy({ held: MoreThan('9'), own: MoreThan('9'), day: LessThan('2026-01-20') }),
        ).toBe(1);
        const query = rows.createQueryBuilder('kind').where('kind.own >= :least', { least: '9.0' });
        expect(await query.getCount()).toBe(2);
        expect(await rows.query('SELECT SUM(held) AS total, MAX(day) AS last FROM kind')).toEqual([
          { total: expect.toSatisfy((total) => Number(total) === 1830) as number, last: '2026-01-20' },
        ]);
      });
    });

    it('reject a value of another kind, whatever the engine', async () => {
      const kind = table('kind', { held: columns.decimal(4, 2), share: columns.decimal(2, 2) });
      await tables.become(kind);
      await tables.with([kind], async (source) => {
        source.open();
        const insert = (held: string, share: string) =>
          source.getRepository('kind').insert({ id: 1, held, share });
        for (const held of [
          '1.005',
          '100',
          '-100',
          '1e2',
          '',
          '-',
          'NaN',
          ' 1',
          '+1',
          '1.',
          '.5',
          '07.5',
          '1.5\n',
        ])
          await expect(insert(held, '0.99'), held).rejects.toThrow(RangeError);
        for (const share of ['1', '9.99', '-9.99', '-1.50', '0.999', '0.', '.5', '-.5', '00.5', '10'])
          await expect(insert('99.99', share), share).rejects.toThrow(RangeError);
        for (const [share, read] of Object.entries({
          '-0.99': '-0.99',
          '-0': '0.00',
          '-0.00': '0.00',
          '0.5': '0.50',
        })) {
          await insert('-99.99', share);
          expect(await source.getRepository('kind').findOneBy({ id: 1 })).toEqual({
            id: 1,
            held: '-99.99',
            share: read,
          });
          await source.getRepository('kind').delete({ id: 1 });
        }
      });
      for (const [precision, scale] of [
        [0, 0],
        [2, -1],
        [2.5, 1],
        [3, 0.5],
        [Number.NaN, 0],
        [2, Number.NaN],
      ] as const)
        expect(() => columns.decimal(precision, scale)).toThrow(
          /^columns\.decimal\(\S+, \S+\) must have whole numbers: /,
        );
      expect(() => columns.decimal(19, 2)).toThrow('at most 18 digits');
      expect(() => columns.decimal(2, 3)).toThrow('columns.decimal(2, 3) has more digits behind the point');
    });

    it('compare bytes, and reject a value that has too many of them or is of another kind', async () => {
      const kind = table('kind', {
        short: columns.bytes(3, { unique: true }),
        long: columns.bytes(70_000, { nullable: true }),
      });
      await tables.become(kind);
      expect((await tables.differenceTo(kind)).forwards).toEqual([]);
      await tables.with([kind], async (source) => {
        source.open();
        const rows = source.getRepository('kind');
        const whole = new Uint8Array([9, 1, 2, 9]);
        await rows.insert({ id: 1, short: whole.subarray(1, 3), long: new Uint8Array(70_000) });
        expect(await rows.findOneBy({ id: 1 })).toStrictEqual(
          Object.assign(rows.create(), { id: 1, short: Buffer.from([1, 2]), long: Buffer.alloc(70_000) }),
        );
        for (const [id, short] of [
          [2, 'A'],
          [3, 'a'],
          [4, 'a '],
          [5, '\0'],
          [6, ''],
        ] as const)
          await rows.save({ id, short: Buffer.from(short), long: undefined });
        expect(await rows.findBy({ short: Buffer.from('a') })).toMatchObject([{ id: 3, long: undefined }]);
        expect(await rows.countBy({ short: In([Buffer.from('a'), new Uint8Array([1, 2])]) })).toBe(2);
        expect(await rows.countBy({ short: MoreThan(Buffer.from('A')) })).toBe(2);
        await expect(rows.insert({ id: 7, short: new Uint8Array([97]) })).rejects.toThrow(DuplicateKey);
        await rows.save({ id: 1, short: Buffer.from([3]), long: Buffer.from([4]) });
        expect(await rows.findOneBy({ id: 1 })).toMatchObject({
          short: Buffer.from([3]),
          long: Buffer.from([4]),
        });
        await expect(rows.insert({ id: 7, short: Buffer.alloc(4) })).rejects.toThrow(
          new RangeError('4 bytes cannot be stored in a column of 3 bytes.'),
        );
        const tooLong = rows.update({ id: 1 }, { long: Buffer.alloc(70_001) });
        await expect(tooLong).rejects.toThrow('70001 bytes cannot be stored in a column of 70000 bytes.');
        for (const short of ['abc', 7, [1], { 0: 1 }])
          await expect(rows.insert({ id: 7, short } as object)).rejects.toThrow(TypeError);
      });
      expect(columns.bytes(4_294_967_295)).toMatchObject({ type: 'longblob' });
      for (const length of [0, -1, 1.5, 2 ** 32, Number.NaN])
        expect(() => columns.bytes(length)).toThrow(RangeError);
    });

    it('are rejected where they cannot match the database, and the error names a kind to use instead', async () => {
      class Changed {}
      Entity('changed')(Changed);
      PrimaryColumn('int')(Changed.prototype, 'id');
      UpdateDateColumn({ precision: 3 })(Changed.prototype, 'at');
      const found = tables.differenceTo(Changed);
      if (engine.name === 'SQLite') expect((await found).forwards).toHaveLength(1);
      else
        await expect(found).rejects.toThrow(
          /^at of Changed has another precision .* Use columns\.instant, and set the value from the clock\.$/,
        );
      const money = table('money', { held: { type: 'decimal', precision: 20, scale: 2 } });
      if (engine.name === 'SQLite')
        await expect(tables.differenceTo(money)).rejects.toThrow(
          'held is a decimal of 20 digits, and SQLite keeps 15.',
        );
    });

    it('have keys of the same name on every engine, which the error for a duplicate contains', async () => {
      const chip = new EntitySchema<object>({ name: 'chip', columns: { code: columns.word(9) } as never });
      const kind = table(
        'kind',
        { name: columns.text(9), kennel: columns.number({ name: 'kennel_id' }) },
        {
          embeddeds: { chip: { schema: chip } },
          uniques: [
            { name: 'names', columns: ['kennel', 'name'] },
            { name: 'chips', columns: ['chip.code'] },
          ],
        },
      );
      await tables.become(kind);
      expect((await tables.differenceTo(kind)).forwards).toEqual([]);
      await tables.with([kind], async (source) => {
        source.open();
        const rows = source.getRepository('kind');
        const other = { id: 2, name: 'Bo', kennel: 2, chip: { code: 'b' } };
        await rows.insert({ id: 1, name: 'Al', kennel: 1, chip: { code: 'a' } });
        for (const [constraint, row] of [
          ['PRIMARY', { id: 1 }],
          ['chips', { chip: { code: 'a' } }],
          ['names', { kennel: 1, name: 'Al' }],
        ] as const)
          await expect(rows.insert({ ...other, ...row })).rejects.toMatchObject({
            driverError: { constraint },
          });
      });
    });
  }));
