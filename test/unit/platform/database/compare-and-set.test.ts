import { DataSource, EntitySchema } from 'typeorm';
import { expect, it } from 'vitest';
import { changeRow } from '../../../../src/platform/database/index.js';

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
  const source = new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [weights],
    synchronize: true,
  });
  await source.initialize();
  const rows = source.getRepository(weights);
  await rows.insert({ id: 1, grams: 5 });
  const change = changeRow(rows, { id: 1 }, ['grams'], (found) => ({ ...found, grams: 9 }));
  await expect(change).rejects.toThrow('compare columns that are exact, not grams');
  await source.destroy();
});
