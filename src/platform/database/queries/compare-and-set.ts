import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { valuesOf, whereEqual } from './row-values.js';

/** There are never so many rivals for one row. */
const MAX_TRIES = 1_000;

/**
 * Changes or deletes one row in a single step, by compare-and-set, however many callers try at once. If another change of the row was
 * faster, `change` is called again with the newer row. The row that `change` returns is stored, as far as it differs. If it returns
 * undefined, the row is deleted. If it throws, nothing is stored. `by` names the properties on which `change` depends, such as a `version`
 * that it raises. Without `by`, `change` depends on all properties. @returns the row as it is now, or undefined without a row
 */
export async function changeRow<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  where: FindOptionsWhere<Row>,
  change: (found: Row) => Row | undefined,
  by?: readonly string[],
): Promise<Row | undefined> {
  const { metadata } = rows;
  const compared = by
    ? [...metadata.primaryColumns, ...by.map((path) => metadata.findColumnWithPropertyPath(path)!)]
    : metadata.columns.filter(isLoaded);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await rows.findOneBy(where);
    if (!found) return undefined;
    const changed = change(found);
    const values = changed && valuesOf(rows, changed, found);
    if (values && Object.keys(values).length === 0) return changed;
    const statement = values
      ? rows.createQueryBuilder().update().set(values)
      : rows.createQueryBuilder().delete();
    for (const column of compared) whereEqual(statement, column, found);
    const { affected } = await statement.execute();
    if (affected === 1) return changed;
  }
  throw new Error(
    `${metadata.name} does not equal what was read from it: compare columns that are exact, not ${by ? by.join(', ') : 'all'}.`,
  );
}

/** Whether an entity has the value of the column after it was read. */
const isLoaded = ({ isSelect, isVirtual, isVirtualProperty }: ColumnMetadata) =>
  isSelect && !isVirtual && !isVirtualProperty;
