import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLACES } from '../command/places.js';
import { type Catalogue, requestsOf, type ScenarioName } from './scenarios.js';
import type { Requests } from '../servers/running-server.js';
import type { Contender } from '../servers/servers.js';

type CursorAfter = (path: string, parameters: Readonly<Record<string, string>>, id: bigint) => string;

export class Traffic {
  readonly #made = new Map<string, Requests>();

  private constructor(
    private readonly folder: string,
    private readonly lastId: number,
    private readonly cursorAfter: CursorAfter,
  ) {}

  static async over(animals: number, folder: string): Promise<Traffic> {
    // The service's own function: clients take cursors from `Link`, page by page, and cannot reach an arbitrary position.
    const { cursorAfter } = (await import(pathToFileURL(PLACES.pager).href)) as { cursorAfter: CursorAfter };
    return new Traffic(folder, animals, cursorAfter);
  }

  async of(scenario: ScenarioName, paging: Contender['paging']): Promise<Requests> {
    const name = `${scenario}-${paging}`;
    const known = this.#made.get(name);
    if (known) return known;
    const requests = requestsOf(scenario, { lastId: this.lastId, before: this.#before(paging) });
    const file = join(this.folder, `${name}.txt`);
    await writeFile(
      file,
      requests.map(({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`).join(''),
    );
    const made = { requests, file };
    this.#made.set(name, made);
    return made;
  }

  /** URL path of the service's page after this pet. */
  pageBefore(id: number, limit: number): string {
    return `/v1/pets?limit=${limit}&${this.#before('cursor')(id, undefined)}`;
  }

  #before(paging: Contender['paging']): Catalogue['before'] {
    return paging === 'before'
      ? (id) => `before=${id}`
      : (id, status) => `cursor=${this.cursorAfter('/pets', status ? { status } : {}, BigInt(id))}`;
  }
}
