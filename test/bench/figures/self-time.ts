/** The parts of a .cpuprofile that are used: `samples` has a node id for each of `timeDeltas`, which are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}
interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const IDLE = '(idle)';
const NO_CODE = ['(garbage collector)', '(program)', '(root)'];

/** Shares of busy CPU time in each function itself (self time), and in each package; and the idle share of all time. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const all = samples.map((id, i) => [frames.get(id)!, Math.max(0, timeDeltas[i] ?? 0)] as const);
  const busy = all.filter(([{ functionName }]) => functionName !== IDLE);
  const timeOf = (some: typeof all) => some.reduce((sum, [, time]) => sum + time, 0);
  const sharesBy = (wordOf: (frame: Frame) => string) => {
    const sums = new Map<string, number>();
    for (const [frame, time] of busy) sums.set(wordOf(frame), (sums.get(wordOf(frame)) ?? 0) + time);
    return [...sums].sort(([, a], [, b]) => b - a).map(([word, sum]) => [sum / timeOf(busy), word] as const);
  };
  return { functions: sharesBy(placeOf), packages: sharesBy(ownerOf), idle: 1 - timeOf(busy) / timeOf(all) };
}

/** The function, and its file and line if there is a file. */
function placeOf({ functionName, url, lineNumber }: Frame): string {
  const name = functionName || '(anonymous)';
  const file = url.replace(/^.*\/(?:node_modules\/|(?=dist\/))/, '');
  return file === '' ? name : `${name} ${file}:${lineNumber + 1}`;
}

/** The package of the file; `petstore` for our own. */
function ownerOf({ functionName, url }: Frame): string {
  if (url === '') return NO_CODE.includes(functionName) ? functionName : 'native code';
  if (url.startsWith('node:')) return 'node';
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'petstore';
}
