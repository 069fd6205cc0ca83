/** A row as either driver reads it. */
type Row = Readonly<Record<string, unknown>>;

export const ALL_PETS = 'SELECT id, name FROM pets';

/**
 * Compares what was acknowledged, in this order, with what is stored. Every name was sent once. `places` are the positions of
 * the first lost writes: they show whether the fault caused the loss, or the moment when the rows were read.
 */
export function audit(acknowledged: ReadonlyMap<number, string>, rows: readonly Row[]) {
  const stored = new Map(rows.map(({ id, name }) => [Number(id), name]));
  const lost = [...acknowledged].flatMap(([id, name], place) => (stored.get(id) === name ? [] : [place]));
  const doubled = rows.length - new Set(rows.map(({ name }) => name)).size;
  return { lost: lost.length, doubled, places: lost.slice(0, 20) };
}
