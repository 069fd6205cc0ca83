import { setImmediate } from 'node:timers/promises';
import type { FindOptionsSelect, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';

/** SQLite limits expressions to a depth of 1,000, and each row with a composite key adds a level. */
const BATCH = 500;

/**
 * Deletes any number of rows. A single statement for many rows would exceed the time limit of statements at every try.
 * @returns the number of rows
 */
export async function deleteInBatches<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  where: FindOptionsWhere<Row>,
): Promise<number> {
  const keys = rows.metadata.primaryColumns.map(({ propertyName }) => [propertyName, true]);
  const select = Object.fromEntries(keys) as FindOptionsSelect<Row>;
  for (let deleted = 0; ;) {
    const batch = await rows.find({ select, where, take: BATCH });
    if (batch.length === 0) return deleted;
    const { affected } = await rows.createQueryBuilder().delete().whereInIds(batch).execute();
    deleted += affected ?? 0;
    // On SQLite no statement waits for I/O, so the service would read no request until all rows are deleted.
    await setImmediate();
  }
}
