/** A row as either driver reads it. */
type Row = Readonly<Record<string, unknown>>;

export const ALL_PETS = 'SELECT id, name FROM pets';

/** Compares what was acknowledged with what is stored. Every name was sent once. */
export function audit(acknowledged: ReadonlyMap<number, string>, rows: readonly Row[]) {
  const stored = new Map(rows.map(({ id, name }) => [Number(id), name]));
  const lost = [...acknowledged].filter(([id, name]) => stored.get(id) !== name).length;
  const doubled = rows.length - new Set(rows.map(({ name }) => name)).size;
  return { lost, doubled };
}
