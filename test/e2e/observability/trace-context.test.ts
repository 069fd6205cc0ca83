import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import type { Program } from '../../support/program.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  let service: Program;
  let origin: string;
  beforeAll(async () => {
    build();
    service = startBundled({ DATABASE_URL: 'sqlite::memory:' }, tmpdir());
    origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
  });
  afterAll(() => service.stop());

  const answered = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(origin + path, { headers });
    await answer.text();
    return answer.headers.get('traceparent');
  };

  it.each(['/v1/pets', '/v1/pets/404', '/nowhere', '/livez'])(
    'is answered by %s with the same trace and an id of the service',
    async (path) => {
      const traceparent = await answered(path, { traceparent: `00-${TRACE}-${SPAN}-01` });
      const [, traceId, spanId] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(traceparent!)!;
      expect([traceId, spanId === SPAN]).toEqual([TRACE, false]);
    },
  );

  it.each([
    {},
    { traceparent: `ff-${TRACE}-${SPAN}-01` },
    { traceparent: `00-${TRACE.toUpperCase()}-${SPAN}-01` },
    { traceparent: `00-${'0'.repeat(32)}-${SPAN}-01` },
  ] as Record<string, string>[])('is not answered to who brings none that is valid: %j', async (headers) => {
    expect(await answered('/v1/pets', headers)).toBeNull();
  });
});
