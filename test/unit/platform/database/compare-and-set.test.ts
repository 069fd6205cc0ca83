import { DataSource, EntitySchema } from 'typeorm';
import { expect, it } from 'vitest';
import { changeRow } from '../../../../src/platform/database/index.js';

const open = (...entities: EntitySchema[]) =>
  new DataSource({ type: 'better-sqlite3', database: ':memory:', entities, synchronize: true }).initialize();

it('without a list of properties, a change compares the columns that an entity is loaded with', async () => {
  const owners = new EntitySchema<{ id: number }>({
    name: 'Owner',
    columns: { id: { type: 'integer', primary: true } },
  });
  const dogs = new EntitySchema<{ id: number; name: string; chip?: string; owner?: object }>({
    name: 'Dog',
    columns: {
      id: { type: 'integer', primary: true },
      name: { type: 'text' },
      chip: { type: 'text', nullable: true, select: false },
    },
    relations: { owner: { type: 'many-to-one', target: 'Owner', nullable: true } },
  });
  const source = await open(owners as EntitySchema, dogs as EntitySchema);
  await source.getRepository(owners).insert({ id: 7 });
  const rows = source.getRepository(dogs);
  await rows.insert({ id: 1, name: 'Rex', chip: 'A17', owner: { id: 7 } });
  const names: string[] = [];
  const longer = (found: { id: number; name: string }) => {
    names.push(found.name);
    return { ...found, name: `${found.name}!` };
  };
  await Promise.all([changeRow(rows, { id: 1 }, longer), changeRow(rows, { id: 1 }, longer)]);
  expect(names).toEqual(['Rex', 'Rex', 'Rex!']);
  expect(
    await rows.findOne({ where: { id: 1 }, select: { id: true, name: true, chip: true } }),
  ).toMatchObject({
    name: 'Rex!!',
    chip: 'A17',
  });
  await source.destroy();
});

it('a change ends, and names the columns to check, when a row never equals what was read from it', async () => {
  const weights = new EntitySchema<{ id: number; grams: number }>({
    name: 'Weight',
    columns: {
      id: { type: 'integer', primary: true },
      // Like a column that rounds, so the compared value differs from the stored value.
      grams: {
        type: 'real',
        transformer: { from: (stored: number) => stored, to: (grams: number) => grams + 1 },
      },
    },
  });
  const source = await open(weights as EntitySchema);
  const rows = source.getRepository(weights);
  await rows.insert({ id: 1, grams: 5 });
  const change = changeRow(rows, { id: 1 }, (found) => ({ ...found, grams: 9 }), ['grams']);
  await expect(change).rejects.toThrow('compare columns that are exact, not grams');
  await source.destroy();
});
