import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { OpenApiTools } from './support/openapi-tools.js';

/** The command of each generator, by the name of the generator and of the program that uses its output. */
const GENERATORS: Readonly<Record<string, string>> = {
  'openapi-fetch': 'openapi-typescript openapi.json -o generated/openapi-typescript.ts',
  'hey-api': 'openapi-ts -i openapi.json -o generated/hey-api -c @hey-api/client-fetch --no-log-file',
  'swagger-typescript-api':
    'swagger-typescript-api generate -p openapi-3.0.json -o generated -n swagger-typescript-api.ts',
};

type Asked = [
  method: string,
  path: string,
  accepted: boolean,
  body?: unknown,
  headers?: Record<string, string>,
];

/** Valid and invalid requests of each kind, different for each `i`. */
const variedRequests = (i: number): Asked[] => [
  ['GET', `/pets?limit=${i}`, true],
  ['GET', `/pets?status=${['available', 'pending', 'sold'][i % 3]}`, true],
  ['GET', `/pets?${['limit=0', 'status=dead', 'cursor=x', 'stauts=sold'][i % 4]}`, false],
  [
    'POST',
    '/pets',
    true,
    { name: `Pet ${i}`, categoryId: i, ...(i % 2 && { status: 'pending' }) },
    { 'Idempotency-Key': `${i}` },
  ],
  [
    'POST',
    '/pets',
    false,
    [{ name: 'Rex' }, { name: '', categoryId: 7 }, { name: 'Rex', categoryId: 7, id: 1 }, []][i % 4],
  ],
  ['GET', `/pets/${i % 2 ? 1 : 404_404}`, i % 2 === 1],
  ['GET', `/store/orders?limit=${i}`, true, undefined, { 'X-Request-Id': `prism-${i}` }],
  ['PATCH', '/store/orders/404404', false, { status: ['approved', 'lost'][i % 2] }],
];

/** The first match of the pattern in a process's output; later output is read and discarded. */
function printed({ stdout }: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  return new Promise((resolve, reject) => {
    stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      const found = pattern.exec((text += chunk));
      if (found) resolve(found);
    });
    stdout!.once('end', () => reject(new Error(text)));
  });
}

const NAMES = ['Ada', 'Bea', 'Cid', 'Dot', 'Eve'];

describe('Tools of other projects that read the document', () => {
  let service: Service;
  let tools: OpenApiTools;
  let base: string;
  beforeAll(async () => {
    service = await startService(sqlite, { environment: { RATE_LIMIT: '100000/s' } });
    base = `${service.stranger.origin}/v1`;
    for (const name of NAMES) await service.client.post('/v1/pets', { name, categoryId: 7 });
    tools = await OpenApiTools.install({
      'openapi.json': readFileSync('docs/openapi.json', 'utf8'),
      'openapi-3.0.json': readFileSync('docs/openapi-3.0.json', 'utf8'),
    });
  });
  afterAll(async () => {
    await tools.remove();
    await service.stop();
  });

  it.each(['openapi.json', 'openapi-3.0.json'])(
    'lint %s: Spectral, with the rules of OWASP',
    async (file) => {
      const args = ['lint', file, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'];
      expect(await tools.run('spectral', args)).toMatch(
        /^No results with a severity of 'hint' or higher found!$/m,
      );
    },
  );

  it.each(Object.entries(GENERATORS))('generate a client without a warning: %s', async (_, command) => {
    const [tool, ...args] = command.split(' ') as [string, ...string[]];
    expect(await tools.run(tool, args)).not.toMatch(/warn|deprecat|failed|[⚠✖]/i);
  });

  it('generate what compiles under `strict`', async () => {
    expect(await tools.compile()).toBe('');
  });

  it('find nothing that the document does not say, between the service and its clients: Prism', async () => {
    const prism = tools.serve('prism', ['proxy', 'openapi.json', base, '--port', '0', '--host', '127.0.0.1']);
    const [, origin] = await printed(prism, /listening on (http:\S+)/);
    const headers = { Authorization: `Bearer ${service.secret}` };
    const kinds = new Map<string, number>();
    let foretold = 0;
    const ask = async ([method, path, accepted, body, more = {}]: Asked) => {
      const answer = await fetch(origin + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...more },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const found = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as { location: string[] }[];
      const places = new Set(found.map(({ location }) => location[0]));
      const what = `${method} ${path} ${answer.status} ${text}: ${JSON.stringify(found)}`;
      expect(answer.ok, what).toBe(accepted);
      // Requests that the document forbids are refused, as Prism reports beforehand; each response matches the document.
      expect(places.has('response'), what).toBe(false);
      foretold += Number(places.has('request'));
      if (accepted) expect(found, what).toEqual([]);
      const kind = `${method} ${answer.status}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    };
    const requests = Array.from({ length: 12 }, (_, i) => variedRequests(i + 1)).flat();
    for (const request of requests) await ask(request);
    expect(kinds.size).toBeGreaterThan(6);
    expect(foretold).toBeGreaterThan(15);
    prism.kill();
    await once(prism, 'exit');
  });

  it.each(Object.keys(GENERATORS))(
    'generate a client that lists by Link, creates, reads and meets refusals: %s',
    async (program) => {
      const before = (await service.client.get('/v1/pets?limit=100')).json as unknown as { name: string }[];
      expect(await tools.seenBy(program, base, service.secret)).toEqual({
        names: before.map(({ name }) => name),
        created: 201,
        read: 'Generated',
        refused: [400, 'validation_failed'],
        stranger: [401, 'invalid_api_key'],
      });
    },
  );
});
