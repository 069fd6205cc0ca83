import type { FindOptionsWhere, Repository } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import { valuesOf } from './row-values.js';

/** A row that counts its changes; the first version is 1. */
interface Versioned {
  readonly id: Int64;
  readonly version: number;
}

/**
 * Changes one row as a single step, however many try at once: by compare-and-set on its version. `change` is asked again with the
 * newer row when another was faster; if it returns the row itself, or throws, nothing is stored.
 * @returns the row as it is now; undefined if none has the id
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
 * Deletes one row as a single step. `check` is asked as `change` is, and may throw to keep the row.
 * @returns the row that was deleted; undefined if none has the id
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
