/** A step in the life of one thing, with the time in which it happened. */
export interface Step {
  readonly sent: number;
  readonly ended: number;
  /** Whether it may not have happened at all, or later than the client waited for it. */
  readonly isDoubtful: boolean;
  /** Whether it changes nothing; then it is taken wherever it fits. */
  readonly isRead: boolean;
  readonly text: string;
  /** The states that may follow a state; none if it cannot have happened then. */
  after(state: string): readonly string[];
}

/** How far an order has got: all certain steps before `from` have happened, and of the others these. */
interface Point {
  readonly state: string;
  readonly from: number;
  readonly happened: ReadonlySet<Step>;
}

/**
 * Whether what happened can be put into one order: each step at one moment between its sending and its answer, each as the
 * state allows it just then. That is linearizability; the search is that of Wing and Gong with Lowe's memory of the points it
 * has been at (G. Lowe, "Testing for linearizability", 2017).
 * @returns undefined, or the step at which the order ended that got furthest
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

/** The steps that may be next: sent before any certain one that has not happened yet was over. */
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

/** A read that fits takes nothing from what may come after it. */
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
