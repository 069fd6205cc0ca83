import { Command, InvalidArgumentError } from 'commander';
import { count, positive } from './option-kinds.js';
import { MEASURED, type Measured } from '../simulation/measured-costs.js';

type Mix = Partial<Record<Measured, number>>;

interface SimulateOptions {
  readonly rate: number;
  /** Absent: the smallest sufficient number. */
  readonly processes?: number;
  readonly nodes: number;
  readonly cores: number;
  readonly mix: Mix;
  readonly roundTrip: number;
  /** In ms; absent: the measured wait of a new animal besides CPU time. */
  readonly commit?: number;
  readonly within: number;
  readonly requests: number;
  readonly seed: string;
}

/** Same shares as the scenario `mix`. */
const MIX: Mix = { 'get-random': 80, 'list-equal': 15, create: 5 };

function mixOf(text: string): Mix {
  const mix = text.split(',').map((part) => part.split('='));
  const unknown = mix.find(([name]) => !MEASURED.includes(name as Measured));
  if (unknown) throw new InvalidArgumentError(`"${unknown[0]}" is none of ${MEASURED.join(', ')}.`);
  return Object.fromEntries(mix.map(([name, share = '']) => [name, positive(share)]));
}

/** @param args command-line arguments after the script name */
export function readSimulateOptions(args: readonly string[]): SimulateOptions {
  return new Command('bench:simulate')
    .description(
      'Calculates what a rate needs over several machines, from what requests were measured to cost.',
    )
    .option('--rate <n>', 'requests per second', positive, 100_000)
    .option('--processes <n>', 'of the service (the fewest that are enough)', count)
    .option('--nodes <n>', 'servers of the database: 1, or a Galera cluster', count, 3)
    .option('--cores <n>', 'of each of them', count, 8)
    .option('--mix <list>', 'how many of which kind come (as in the scenario mix)', mixOf, MIX)
    .option('--round-trip <ms>', 'from the service to the database and back', positive, 0.2)
    .option('--commit <ms>', 'what a commit takes besides processor time (as measured)', positive)
    .option('--within <ms>', 'one request in 100 may take longer', positive, 50)
    .option('--requests <n>', 'how many come', count, 300_000)
    .option('--seed <text>', 'the same one gives the same result', 'petstore')
    .parse([...args], { from: 'user' })
    .opts<SimulateOptions>();
}
