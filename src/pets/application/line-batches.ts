import type { PetLine } from '../domain/pet-line.js';

/** Lines that are stored together: few enough that other writers wait for some milliseconds only. */
const BATCH_SIZE = 500;

/** The lines after the number `after`, in batches. */
export async function* batchesOf(lines: AsyncIterable<PetLine[]>, after: number): AsyncGenerator<PetLine[]> {
  let waiting: PetLine[] = [];
  for await (const some of lines) {
    for (const line of some) if (line.number > after) waiting.push(line);
    while (waiting.length >= BATCH_SIZE) {
      yield waiting.slice(0, BATCH_SIZE);
      waiting = waiting.slice(BATCH_SIZE);
    }
  }
  if (waiting.length > 0) yield waiting;
}
