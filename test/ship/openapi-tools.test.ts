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

const NAMES = ['Ada', 'Bea', 'Cid', 'Dot', 'Eve'];

describe('Tools of other projects that read the document', () => {
  let service: Service;
  let tools: OpenApiTools;
  let base: string;
  beforeAll(async () => {
    service = await startService(sqlite);
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
