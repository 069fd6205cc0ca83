import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../../support/api-client.js';
import { onMySqlToo, sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/http/scrape.js';
import {
  JOURNEY_STATUSES,
  JourneySettings,
  JourneysModule,
  keyOf,
  MOST_OF_ONE,
} from '../../support/modules/journeys-module.js';
import { freePort } from '../../support/processes/local-program.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { type Service, startService } from '../../support/service.js';

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/** The recipes of docs/module-recipes.md that need more than a filter by equality, and the recipe of a metric over replicas. */
describe('journeys between stations', () =>
  onMySqlToo((engine) => {
    let service: Service;
    let metricsPort: number;
    beforeAll(async () => {
      metricsPort = await freePort();
      const environment = { METRICS_PORT: `${metricsPort}` };
      service = await startService(engine, { samples: [JourneysModule], environment });
    });
    afterAll(() => service.stop());

    const add = async (to: string, body: object) => {
      const { status, json, text } = await service.client.post(to, body);
      expect(status, text).toBe(201);
      return (json as Row).id;
    };
    const station = (name: string) => add('/v1/journey-stations', { name });
    const journey = (fromId: number, toId: number) => add('/v1/journeys', { fromId, toId });
    const move = (id: number, status: string) => service.client.patch(`/v1/journeys/${id}`, { status });
    /** The items of each page of a list. */
    const pagesOf = async <Item>(target: string, of: (row: Row) => Item) => {
      const pages: Item[][] = [];
      for (let next: string | undefined = target; next !== undefined;) {
        const answer = await service.client.get(next);
        expect(answer.status, answer.text).toBe(200);
        pages.push((answer.json as unknown as Row[]).map(of));
        next = linked(answer, 'next');
      }
      return pages;
    };
    const idOf = ({ id }: Row) => id;

    it('are found by either end, each once, on full pages', async () => {
      const [here, there, beyond] = [await station('here'), await station('there'), await station('beyond')];
      const away = [await journey(here, there), await journey(here, beyond)];
      const back = [await journey(there, here), await journey(beyond, here)];
      const round = await journey(here, here);
      await journey(there, beyond);
      const last = await journey(here, there);
      expect(await pagesOf(`/v1/journeys?stationId=${here}&limit=2`, idOf)).toEqual([
        [last, round],
        back.toReversed(),
        away.toReversed(),
      ]);
      await move(last, 'arrived');
      await move(back[0]!, 'arrived');
      const arrived = `/v1/journeys?stationId=${here}&status=arrived&limit=1`;
      expect(await pagesOf(arrived, idOf)).toEqual([[last], [back[0]]]);
      const depot = await station('depot');
      const only = [await journey(depot, here), await journey(depot, here), await journey(depot, here)];
      const fromDepot = await pagesOf(`/v1/journeys?stationId=${depot}&limit=2`, idOf);
      expect(fromDepot).toEqual([[only[2], only[1]], [only[0]]]);
    });

    it('have stations that are found by a part of their name, in the same way on each engine', async () => {
      const names = [
        'Straße 1',
        'ÉCOLE',
        'e\u0301cole',
        'Ecole',
        'ΟΔΟΣ Α',
        '50%_off \\',
        '5000 off',
        'Rex 🏠',
        'Œuvre',
      ];
      for (const name of names) await station(name);
      const found = async (part: string) =>
        (await pagesOf(`/v1/journey-stations?limit=100&name=${encodeURIComponent(part)}`, ({ name }) => name))
          .flat()
          .toReversed();
      expect(await found('STRASSE')).toEqual(['Straße 1']);
      expect(await found('école')).toEqual(['ÉCOLE', 'e\u0301cole']);
      expect(await found('ecole')).toEqual(['Ecole']);
      expect(await found('οδος')).toEqual(['ΟΔΟΣ Α']);
      expect(await found('0%_O')).toEqual(['50%_off \\']);
      expect(await found('off \\')).toEqual(['50%_off \\']);
      expect(await found('x 🏠')).toEqual(['Rex 🏠']);
      expect(await found('oe')).toEqual([]);
      const pages = await pagesOf('/v1/journey-stations?name=ECOL&limit=1', ({ name }) => name);
      expect(pages).toEqual([['Ecole']]);
    });

    it('have ids without gaps, although the sequence is found again for each of them', async () => {
      const [one, other] = [await station('one'), await station('other')];
      expect(other).toBe(one + 1);
    });

    it('have stations with a list of partners, which a client can extend and shorten again and again', async () => {
      const [home, one, two, three] = [
        await station('home'),
        await station('one'),
        await station('two'),
        await station('three'),
      ];
      const partners = `/v1/journey-stations/${home}/partners`;
      const sent = async (method: string, id: number) =>
        (await service.client.send(method, `${partners}/${id}`)).status;
      for (const id of [two, one, three, one]) expect(await sent('PUT', id)).toBe(204);
      expect(await service.client.send('PUT', `/v1/journey-stations/${one}/partners/${home}`)).toMatchObject({
        status: 204,
      });
      expect(await pagesOf(`${partners}?limit=2`, ({ name }) => name)).toEqual([['three', 'two'], ['one']]);
      for (const id of [two, two]) expect(await sent('DELETE', id)).toBe(204);
      expect(await pagesOf(partners, idOf)).toEqual([[three, one]]);
      expect(await sent('PUT', 404_404)).toBe(404);
      expect(await sent('PUT', home)).toBe(409);
    });

    it('are counted by status on each replica, which all report the same numbers', async () => {
      const id = await journey(await station('from'), await station('to'));
      const otherPort = await freePort();
      const other = await startService(engine, {
        samples: [JourneysModule],
        environment: { METRICS_PORT: `${otherPort}` },
        beside: service,
      });
      const reported = async (port: number) => {
        const scrape = await Scrape.of(`http://127.0.0.1:${port}/metrics`);
        return JOURNEY_STATUSES.map((status) => scrape.value('petstore_journeys', { status })!);
      };
      // A scrape has no sample if the counts take longer than two seconds.
      let before: number[] = [];
      await eventually(async () => {
        before = await reported(metricsPort);
        expect(before).not.toContain(undefined);
      });
      const [planned, onTheWay, arrived] = before as [number, number, number];
      await move(id, 'on_the_way');
      const after = [planned - 1, onTheWay + 1, arrived];
      for (const port of [metricsPort, otherPort])
        await eventually(async () => expect(await reported(port)).toEqual(after));
      await other.stop();
    });

    if (engine !== sqlite) return;

    it('are searched in a key that has room for each character of a name', () => {
      let most = 0;
      for (let point = 0; point <= 0x10_ff_ff; point++)
        if (point < 0xd8_00 || point > 0xdf_ff)
          most = Math.max(most, [...keyOf(String.fromCodePoint(point))].length);
      expect(most).toBe(MOST_OF_ONE);
    });
  }));

describe('the settings of journeys', () => {
  const read = (environment: NodeJS.ProcessEnv) =>
    readSettings(environment, [JourneysModule]).modules.get(JourneySettings) as JourneySettings;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-settings-'));
  const fileWith = (text: string) => {
    const file = join(folder, `${text.length}.txt`);
    writeFileSync(file, text);
    return file;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are a URL, and a secret from the environment or from a file', () => {
    expect(read({})).toMatchObject({ mapUrl: 'https://maps.example/v1', token: undefined });
    expect(read({ JOURNEYS_MAP_URL: 'http://127.0.0.1:8080', JOURNEYS_MAP_TOKEN: 'sesame' })).toMatchObject({
      mapUrl: 'http://127.0.0.1:8080',
      token: 'sesame',
    });
    expect(read({ JOURNEYS_MAP_TOKEN_FILE: fileWith('sesame\n') }).token).toBe('sesame');
  });

  it.each<[object, string]>([
    [
      { JOURNEYS_MAP_URL: 'ftp://maps.example' },
      'JOURNEYS_MAP_URL: must be a URL that begins with https:// or http://',
    ],
    [
      { JOURNEYS_MAP_URL: 'https://' },
      'JOURNEYS_MAP_URL: must be a URL that begins with https:// or http://',
    ],
    [{ JOURNEYS_MAP_TOKEN: 'sesame ' }, 'JOURNEYS_MAP_TOKEN: must not begin or end with white space'],
    [
      { JOURNEYS_MAP_TOKEN_FILE: join(folder, 'none') },
      'JOURNEYS_MAP_TOKEN_FILE: names a file that cannot be read (ENOENT)',
    ],
    [{ JOURNEYS_MAP_TOKEN_FILE: fileWith(' \n') }, 'JOURNEYS_MAP_TOKEN_FILE: names a file that is empty'],
    [
      { JOURNEYS_MAP_TOKEN: 'sesame', JOURNEYS_MAP_TOKEN_FILE: fileWith('open it') },
      'JOURNEYS_MAP_TOKEN: is also set by JOURNEYS_MAP_TOKEN_FILE; keep one of the two',
    ],
  ])('reject %s without repeating a secret', (environment, message) => {
    expect(() => read(environment as NodeJS.ProcessEnv)).toThrow(new Error(message));
  });
});
