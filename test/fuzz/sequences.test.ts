import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

/** How many sequences; `npm run test:fuzz` asks for many more. */
const RUNS = Number(process.env['FUZZ_SEQUENCES'] ?? 15);

const STATUSES = ['available', 'pending', 'sold'] as const;

interface Pet {
  readonly id: number;
  readonly status: (typeof STATUSES)[number];
}

/** The expected state, with which each command compares the service. */
type Model = { pets: Pet[] };
type Command = fc.AsyncCommand<Model, Service>;

/** Adds one pet, which is then the first of the list. */
class Add implements Command {
  constructor(private readonly status: Pet['status'] | undefined) {}
  check = () => true;
  async run(model: Model, { client }: Service) {
    const answer = await client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: this.status });
    expect(answer.status).toBe(201);
    model.pets.unshift(answer.json as unknown as Pet);
    expect((await client.get('/v1/pets?limit=1')).json).toEqual([model.pets[0]]);
  }
  toString = () => `add(${this.status})`;
}

/** Fetches a pet that was added. */
class Fetch implements Command {
  constructor(private readonly index: number) {}
  check = ({ pets }: Readonly<Model>) => pets.length > 0;
  async run({ pets }: Model, { client }: Service) {
    const pet = pets[this.index % pets.length]!;
    expect((await client.get(`/v1/pets/${pet.id}`)).json).toEqual(pet);
  }
  toString = () => `fetch(${this.index})`;
}

/** Reads all pages of a list, which must have each added pet once, newest first. */
class Page implements Command {
  constructor(
    private readonly status: Pet['status'] | undefined,
    private readonly limit: number,
  ) {}
  check = () => true;
  async run({ pets }: Model, { client }: Service) {
    const expected = pets.filter(({ status }) => this.status === undefined || status === this.status);
    const filter = this.status ? `&status=${this.status}` : '';
    const seen: unknown[] = [];
    let page: string | undefined = `/v1/pets?limit=${this.limit}${filter}`;
    while (page && seen.length < expected.length) {
      const answer = await client.get(page);
      expect((answer.json as unknown[]).length).toBeLessThanOrEqual(this.limit);
      seen.push(...(answer.json as unknown[]));
      page = linked(answer, 'next');
    }
    expect(seen.slice(0, expected.length)).toEqual(expected);
  }
  toString = () => `page(${this.status}, ${this.limit})`;
}

describe('the shop', () =>
  onEveryEngine((engine) => {
    let service: Service;
    const known: Pet[] = [];
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    const status = fc.option(fc.constantFrom(...STATUSES), { nil: undefined });
    const commands = fc.commands(
      [
        status.map((word) => new Add(word)),
        fc.nat().map((index) => new Fetch(index)),
        fc.tuple(status, fc.integer({ min: 1, max: 100 })).map(([word, limit]) => new Page(word, limit)),
      ],
      { maxCommands: 12 },
    );

    it('shows what was done to it, in whatever order that was', () =>
      fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          // Pets of earlier sequences still exist, and are listed after those of this one.
          const model: Model = { pets: known.slice(0, 300) };
          await fc.asyncModelRun(() => ({ model, real: service }), sequence);
          known.splice(0, 300, ...model.pets);
        }),
        { numRuns: RUNS },
      ));
  }));
