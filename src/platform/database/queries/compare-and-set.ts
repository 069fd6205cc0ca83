import type { FindOptionsWhere, Repository } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import { valuesOf } from './row-values.js';

/** A row with a version number, which starts at 1 and grows with each change. */
interface Versioned {
  readonly id: Int64;
  readonly version: number;
}

/**
 * Changes one row as a single step, however many callers try at once, by compare-and-set on its version. If another change was
 * faster, `change` is called again with the newer row; if it returns the same row, or throws, nothing is stored. @returns the
 * current row; undefined if the id does not exist
 */
export async function changeVersioned<Row extends Versioned>(
  rows: Repository<Row>,
  id: Int64,
  change: (found: Row) => Row,
): Promise<Row | undefined> {
  for (;;) {
    const found = await rows.findOneBy({ id } as FindOptionsWhere<Row>);
    if (!found) return undefined;
    const changed = change(found);
    if (changed === found) return found;
    const next: Row = Object.assign(Object.create(Object.getPrototypeOf(changed) as object) as Row, changed, {
      version: found.version + 1,
    });
    const { affected } = await rows.update(asFound(found), valuesOf(rows, next));
    if (affected === 1) return next;
  }
}

/**
 * Deletes one row as a single step. `check` is called like `change`, and may throw to keep the row. @returns the deleted row;
 * undefined if the id does not exist
 */
export async function deleteVersioned<Row extends Versioned>(
  rows: Repository<Row>,
  id: Int64,
  check: (found: Row) => void,
): Promise<Row | undefined> {
  for (;;) {
    const found = await rows.findOneBy({ id } as FindOptionsWhere<Row>);
    if (!found) return undefined;
    check(found);
    const { affected } = await rows.delete(asFound(found));
    if (affected === 1) return found;
  }
}

const asFound = <Row extends Versioned>({ id, version }: Row) => ({ id, version }) as FindOptionsWhere<Row>;
