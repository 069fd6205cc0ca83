import type { PetLine } from '../domain/pet-line.js';

/** So many lines are stored together: few enough that others who write wait for some milliseconds only. */
const AT_ONCE = 500;

/** The lines behind `after`, so many at once as are stored together. */
export async function* batchesOf(lines: AsyncIterable<PetLine[]>, after: number): AsyncGenerator<PetLine[]> {
  let waiting: PetLine[] = [];
  for await (const some of lines) {
    for (const line of some) if (line.number > after) waiting.push(line);
    while (waiting.length >= AT_ONCE) {
      yield waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
    }
  }
  if (waiting.length > 0) yield waiting;
}
