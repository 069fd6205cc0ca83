/** What requests cost that are done together, in ms of a processor: so much once, and so much for each of them. */
export interface Cost {
  readonly once: number;
  readonly each: number;
}

export const costOf = ({ once, each }: Cost, requests: number): number => once + each * requests;

/** The cost that explains what a request was measured to cost alone, and among so many at the same time. */
export function fitted(alone: number, among: number, requests: number): Cost {
  // Where little is measured, chance may make sharing look dearer.
  const once = Math.max(0, (alone - among) / (1 - 1 / requests));
  return { once, each: alone - once };
}
