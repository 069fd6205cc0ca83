/** CPU cost in ms of requests that are processed together: a fixed part, and a part per request. */
export interface Cost {
  readonly once: number;
  readonly each: number;
}

export const costOf = ({ once, each }: Cost, requests: number): number => once + each * requests;

/** Fits the cost to the measured cost of a request alone, and among this many concurrent requests. */
export function fitted(alone: number, among: number, requests: number): Cost {
  // For small costs, noise may make sharing look more expensive.
  const once = Math.max(0, (alone - among) / (1 - 1 / requests));
  return { once, each: alone - once };
}
