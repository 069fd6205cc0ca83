/** The parts of a .cpuprofile that are used: `samples` has a node id for each of `timeDeltas`, which are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface SelfTime {
  readonly name: string;
  /** File and line; empty if there is no file. */
  readonly place: string;
  /** The package of the file; `petstore` for our own. */
  readonly owner: string;
  readonly share: number;
}

const IDLE = '(idle)';
const NO_CODE = ['(garbage collector)', '(program)', '(root)'];

/** Share of busy CPU time in each function itself (self time), largest first; and the idle share of all time. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): { times: SelfTime[]; idle: number } {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const sums = new Map<string, { frame: CpuProfile['nodes'][number]['callFrame']; time: number }>();
  let total = 0;
  let idleTime = 0;
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id)!;
    const time = Math.max(0, timeDeltas[i] ?? 0);
    total += time;
    if (frame.functionName === IDLE) {
      idleTime += time;
      continue;
    }
    const key = `${frame.functionName} ${frame.url} ${frame.lineNumber}`;
    const sum = sums.get(key) ?? { frame, time: 0 };
    sums.set(key, { frame, time: sum.time + time });
  }
  const times = [...sums.values()]
    .sort((a, b) => b.time - a.time)
    .map(({ frame, time }) => ({ ...whereIs(frame), share: time / (total - idleTime) }));
  return { times, idle: total === 0 ? 0 : idleTime / total };
}

/** The self-time shares summed by package, largest first. */
export function byOwner(times: readonly SelfTime[]): [owner: string, share: number][] {
  const sums = new Map<string, number>();
  for (const { owner, share } of times) sums.set(owner, (sums.get(owner) ?? 0) + share);
  return [...sums].sort(([, a], [, b]) => b - a);
}

function whereIs({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']) {
  const name = functionName || '(anonymous)';
  if (url === '') return { name, place: '', owner: NO_CODE.includes(name) ? name : 'native code' };
  const line = lineNumber + 1;
  if (url.startsWith('node:')) return { name, place: `${url}:${line}`, owner: 'node' };
  const [, inModules] = /^.*\/node_modules\/(.+)$/.exec(url) ?? [];
  if (inModules !== undefined)
    return { name, place: `${inModules}:${line}`, owner: /^(?:@[^/]+\/)?[^/]+/.exec(inModules)![0] };
  return { name, place: `${url.replace(/^.*\/dist\//, 'dist/')}:${line}`, owner: 'petstore' };
}
