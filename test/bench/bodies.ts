// Measures what hostile bodies cost the service: how long each delays the event loop, its processor time and its memory.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DECLARED, type Shape, SHAPES, textOf, textOfLength } from './bodies/shapes.js';
import { type BodyCase, type Figures, WatchedService } from './bodies/watched-service.js';
import { readBodiesOptions } from './command/options.js';
import { PLACES } from './command/places.js';
import { runProgram } from './command/program.js';
import { spreadOf } from './figures/statistics.js';
import { tableOf } from './figures/tables.js';
import { quiet } from './servers/machine.js';

const options = readBodiesOptions(process.argv.slice(2));

const KB = 1_000;
const MB = 1_000 * KB;
const SIZES = [100 * KB, 8 * MB];
/** Half of what the parser accepts, and nearly all of it. The other values of a body are its containers. */
const VALUES = [9_900, 19_800];
const LIST = SHAPES[0]!;
/** At the first requests the service compiles its code. */
const WARM_UP = 30;

type NamedCase = BodyCase & { readonly name: string };

const caseOf = (shape: Shape, text: string, path = '/v1/pets'): NamedCase[] => {
  const name = `${shape.name}, ${Math.round(text.length / KB)} KB`;
  const body = Buffer.from(text);
  return [
    { name, path, body, isGzip: false },
    { name: `${name}, gzip`, path, body: gzipSync(body), isGzip: true },
  ];
};

const CASES: readonly NamedCase[] = [
  ...SIZES.flatMap((size) => SHAPES.flatMap((shape) => caseOf(shape, textOfLength(shape, size)))),
  ...VALUES.flatMap((values) => caseOf(LIST, textOf(LIST, values))),
  ...caseOf(DECLARED, textOfLength(DECLARED, 100 * KB), '/v1/items'),
  ...VALUES.flatMap((values) => caseOf(DECLARED, textOf(DECLARED, Math.floor(values / 3)), '/v1/items')),
];

await runProgram(async (folder, signal) => {
  const sides = await Promise.all(
    [PLACES.built, ...(options.checkout ? [resolve(options.checkout, 'dist')] : [])].map((built, i) =>
      WatchedService.start(join(folder, String(i)), built, signal),
    ),
  );
  try {
    await quiet(signal);
    const warmUp = caseOf(LIST, textOf(LIST, VALUES[0]!));
    for (const side of sides) for (let i = 0; i < WARM_UP; i++) await side.measure(warmUp[i % 2]!);
    const rows: Row[] = [];
    for (const one of CASES) {
      const seen = sides.map((): Figures[] => []);
      for (let turn = 0; turn < options.turns; turn++)
        for (const [i, side] of sides.entries()) seen[i]!.push(await side.measure(one));
      rows.push({ name: one.name, sides: seen.map(summary) });
    }
    print(rows);
    if (options.out) await writeFile(options.out, `${JSON.stringify(rows, undefined, 2)}\n`);
    return true;
  } finally {
    for (const side of sides) await side.stop();
  }
});

type Summary = ReturnType<typeof summary>;
interface Row {
  readonly name: string;
  /** This checkout, then the other one. */
  readonly sides: readonly Summary[];
}

function summary(seen: readonly Figures[]) {
  const median = (of: (figures: Figures) => number) => spreadOf(seen.map(of))!.median;
  return {
    statuses: [...new Set(seen.map(({ status }) => status))],
    delayMs: median(({ delayMs }) => delayMs),
    cpuMs: median(({ cpuMs }) => cpuMs),
    addedMiB: median(({ addedMiB }) => addedMiB),
  };
}

function print(rows: readonly Row[]): void {
  const side = 'status  delay ms  CPU ms  MiB';
  const table = tableOf(['body', side, ...(options.checkout ? [side] : [])].join('  '));
  for (const { name, sides } of rows)
    table.push([
      name,
      ...sides.flatMap(({ statuses, delayMs, cpuMs, addedMiB }) => [
        statuses.join('/'),
        ...[delayMs, cpuMs, addedMiB].map((figure) => figure.toFixed(1)),
      ]),
    ]);
  process.stdout.write(`${table}\n`);
}
