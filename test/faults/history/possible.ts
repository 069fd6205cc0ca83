/** An operation on one object, with the interval in which it happened. */
export interface Step {
  readonly sent: number;
  readonly ended: number;
  /** Whether it may not have happened at all, or only after the client stopped waiting for it. */
  readonly isDoubtful: boolean;
  /** Whether it changes nothing; then the search places it as soon as it fits. */
  readonly isRead: boolean;
  readonly text: string;
  /** The states that may follow `state` after this step; none if the step is impossible then. */
  after(state: string): readonly string[];
}

/** How far an order has got: all certain steps before `from` have happened, and the other steps in `happened`. */
interface Point {
  readonly state: string;
  readonly from: number;
  readonly happened: ReadonlySet<Step>;
}

/**
 * Checks linearizability: whether all steps fit into one order, each at one moment between its request and its response, and
 * each allowed by the state at that moment. The search is that of Wing and Gong with Lowe's cache of visited points (G. Lowe,
 * "Testing for linearizability", 2017).
 * @returns undefined, or the step at which the longest order ended
 */
export function firstImpossible(steps: readonly Step[], initial: string): Step | undefined {
  const sorted = steps.toSorted((a, b) => a.sent - b.sent);
  const certain = sorted.filter(({ isDoubtful }) => !isDoubtful);
  const doubtful = sorted.filter(({ isDoubtful }) => isDoubtful);
  const names = new Map(sorted.map((step, i) => [step, i]));
  const seen = new Set<string>();
  const open: Point[] = [{ state: initial, from: 0, happened: new Set() }];
  let furthest = 0;
  while (open.length > 0) {
    const point = takeReads(certain, doubtful, open.pop()!);
    if (point.from === certain.length) return undefined;
    furthest = Math.max(furthest, point.from);
    const others = [...point.happened].map((step) => names.get(step)!).toSorted((a, b) => a - b);
    const name = `${point.state}|${point.from}|${others.join()}`;
    if (seen.has(name)) continue;
    seen.add(name);
    for (const step of candidates(certain, doubtful, point)) {
      for (const state of step.after(point.state)) open.push(advance(certain, point, state, [step]));
    }
  }
  return certain[furthest];
}

/** The steps that may be next: steps that were sent before the first response to a certain step that has not happened yet. */
function candidates(certain: readonly Step[], doubtful: readonly Step[], point: Point): Step[] {
  const found: Step[] = [];
  let deadline = Number.POSITIVE_INFINITY;
  for (let i = point.from; i < certain.length && certain[i]!.sent <= deadline; i++) {
    if (point.happened.has(certain[i]!)) continue;
    found.push(certain[i]!);
    deadline = Math.min(deadline, certain[i]!.ended);
  }
  return [...found, ...doubtful.filter((step) => step.sent <= deadline && !point.happened.has(step))];
}

/** Places every read that fits: a read changes no state, so this excludes no order of the remaining steps. */
function takeReads(certain: readonly Step[], doubtful: readonly Step[], start: Point): Point {
  for (let point = start; ;) {
    const { state } = point;
    const fitting = candidates(certain, doubtful, point).filter(
      (step) => step.isRead && step.after(state).length > 0,
    );
    if (fitting.length === 0) return point;
    point = advance(certain, point, state, fitting);
  }
}

function advance(certain: readonly Step[], point: Point, state: string, next: readonly Step[]): Point {
  const happened = new Set([...point.happened, ...next]);
  let { from } = point;
  while (from < certain.length && happened.delete(certain[from]!)) from++;
  return { state, from, happened };
}
