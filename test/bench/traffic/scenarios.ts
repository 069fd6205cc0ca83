import { chanceFrom, shuffled } from './chance.js';

export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface Catalogue {
  /** The pets have the ids from 1 to this one. */
  readonly lastId: number;
  /** The query parameter for the page after this pet, such as `before=7`. */
  readonly before: (id: number, status: string | undefined) => string;
}

export const SCENARIOS = {
  'list-equal': 'the same page of 20 available animals, the newest, again and again',
  'list-random': '20 animals of any or no status, from any place of the table on',
  'get-random': 'any one animal by its id',
  mix: '80 reads by id, 15 times the same page, 5 new animals in every 100 requests',
  create: 'new animals, no two alike',
} as const;
export type ScenarioName = keyof typeof SCENARIOS;
/** Reads come first, because creating pets makes the table larger. */
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as ScenarioName[];

const COUNT = 20_000;
const STATUSES = [undefined, 'available', 'pending', 'sold'];
const SAME_PAGE: BenchRequest = { method: 'GET', path: '/v1/pets?status=available&limit=20' };

/** The requests of a scenario, the same on every call. They are sent in order, starting again after the last. */
export function requestsOf(scenario: ScenarioName, catalogue: Catalogue): BenchRequest[] {
  const chance = chanceFrom(scenario);
  const anyId = () => 1 + Math.floor(chance() * catalogue.lastId);
  const times = (count: number, make: (i: number) => BenchRequest) =>
    Array.from({ length: count }, (_, i) => make(i));

  const get = (): BenchRequest => ({ method: 'GET', path: `/v1/pets/${anyId()}` });
  const add = (i: number): BenchRequest => {
    const categoryId = 1 + Math.floor(chance() * Number.MAX_SAFE_INTEGER);
    return { method: 'POST', path: '/v1/pets', body: JSON.stringify({ name: `Rex the ${i}th`, categoryId }) };
  };
  const list = (): BenchRequest => {
    const status = STATUSES[Math.floor(chance() * STATUSES.length)];
    const filter = status === undefined ? '' : `status=${status}&`;
    return { method: 'GET', path: `/v1/pets?${filter}limit=20&${catalogue.before(anyId(), status)}` };
  };

  switch (scenario) {
    case 'list-equal':
      return [SAME_PAGE];
    case 'list-random':
      return times(COUNT, list);
    case 'get-random':
      return times(COUNT, get);
    case 'create':
      return times(COUNT, add);
    case 'mix':
      return shuffled(
        [...times(COUNT * 0.8, get), ...times(COUNT * 0.15, () => SAME_PAGE), ...times(COUNT * 0.05, add)],
        chance,
      );
  }
}

/**
 * The least number of new pets that a run with so many responses must have created: the POSTs among its requests, which
 * are sent in this order and start again after the last. Up to `connections` of them are left out, because later requests
 * may have overtaken them.
 */
export function additionsOwed(
  requests: readonly BenchRequest[],
  answers: number,
  connections: number,
): number {
  const sure = Math.max(0, answers - connections);
  const additions = (some: readonly BenchRequest[]) => some.filter(({ method }) => method === 'POST').length;
  const rest = requests.slice(0, sure % requests.length);
  return Math.floor(sure / requests.length) * additions(requests) + additions(rest);
}
