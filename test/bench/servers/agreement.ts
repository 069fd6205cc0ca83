import type { RunningServer } from './running-server.js';
import type { BenchRequest } from '../traffic/scenarios.js';

const add = (body: string): BenchRequest => ({ method: 'POST', path: '/v1/pets', body });
const get = (path: string): BenchRequest => ({ method: 'GET', path });

/** Requests that every server refuses, with the status. */
const REFUSED: readonly (readonly [status: number, request: BenchRequest])[] = [
  [400, get('/v1/pets?status=gone')],
  [400, get('/v1/pets?limit=0')],
  [400, get('/v1/pets?limit=101')],
  [400, add('{"name":"Rex"')],
  [400, add('{"categoryId":1}')],
  [400, add('{"name":"","categoryId":1}')],
  [400, add(`{"name":"${'x'.repeat(256)}","categoryId":1}`)],
  [400, add('{"name":"Rex"}')],
  [400, add('{"name":"Rex","categoryId":1.5}')],
  [400, add('{"name":"Rex","categoryId":1,"status":"gone"}')],
  [404, get('/v1/pets/999999999999')],
];

/** Checks that the compared servers do the same: each must give the same responses as the first. */
export class Agreement {
  readonly #answers = new Map<string, string>();

  /** `question` names the request across all servers, whose paging URLs differ. */
  async check(name: string, server: RunningServer, question: string, request: BenchRequest): Promise<void> {
    const text = await expectStatus(request.method === 'POST' ? 201 : 200, name, server, request);
    const answer = request.method === 'POST' ? withoutId(text) : withExactIntegers(text);
    const known = this.#answers.get(question) ?? answer;
    this.#answers.set(question, known);
    if (answer !== known)
      throw new Error(
        `${name} answers ${request.method} ${request.path} unlike the first server:\n${answer}\n${known}`,
      );
  }

  async checkRefusals(name: string, server: RunningServer): Promise<void> {
    for (const [status, request] of REFUSED) await expectStatus(status, name, server, request);
    await expectStatus(401, name, server, get('/v1/pets/1'), 'a key that nobody knows');
  }
}

async function expectStatus(
  wanted: number,
  name: string,
  server: RunningServer,
  { method, path, body }: BenchRequest,
  key?: string,
): Promise<string> {
  const response = await server.ask(method, path, body, key);
  const text = await response.text();
  if (response.status !== wanted)
    throw new Error(`${name} answers ${method} ${path} with ${response.status}, not ${wanted}: ${text}`);
  return text;
}

/** Some peers can write large integers only as strings; this is accepted, and stated in the results. */
function withExactIntegers(json: string): string {
  return json.replaceAll(/"(id|categoryId)":"(-?\d+)"/g, '"$1":$2');
}

/** Each server assigns new ids from a different start. */
function withoutId(json: string): string {
  return json.replace(/"id":\d+,/, '');
}
