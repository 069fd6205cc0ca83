import type { FindOptionsSelect, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';

/** SQLite's expressions may be a thousand levels deep, and a composite key is one for each row. */
const BATCH = 500;

/**
 * Deletes rows, however many there are: one statement for all would run into the time limit of statements, each time anew.
 * @returns how many rows that were
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
  }
}
