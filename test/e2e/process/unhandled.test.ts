import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, spawnPetstore, startBundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/processes/local-program.js';
import { Wire } from '../../support/http/wire.js';

/** What a module may do wrong, once SIGWINCH comes. The error carries a secret, as those of HTTP clients do. */
const FAULTS = `
import { EventEmitter } from 'node:events';
const error = Object.assign(new Error('out of luck', { cause: new Error('the cause') }), { config: { password: 'sesame' } });
const faults = {
  rejection: () => void Promise.reject(error),
  timer: () => setTimeout(() => { throw error; }),
  object: () => setTimeout(() => { throw { message: 'out of luck', password: 'sesame' }; }),
  'emitted object': () => new EventEmitter().emit('error', { message: 'out of luck', password: 'sesame' }),
};
process.on('SIGWINCH', faults[process.env.FAULT]);
`;

const SECRET = 'bootstrap-key-for-the-test-of-faults';
const BODY = '{"name":"Rex","categoryId":7}';
const HEAD = `POST /v1/pets HTTP/1.1
Host: here
Authorization: Bearer ${SECRET}
Content-Type: application/json
Content-Length: ${BODY.length}
Expect: 100-continue

`;

let folder: string;
let NODE_OPTIONS: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-unhandled-'));
  await writeFile(join(folder, 'faults.mjs'), FAULTS);
  NODE_OPTIONS = `--import=${join(folder, 'faults.mjs')}`;
});
afterAll(() => rm(folder, { recursive: true }));

const start = (environment: Record<string, string>) =>
  startBundled(
    { DATABASE_URL: 'sqlite::memory:', BOOTSTRAP_API_KEY: SECRET, NODE_OPTIONS, ...environment },
    folder,
  );
const fatal = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.includes('"level":60'))
    .map((line) => JSON.parse(line) as object);

describe('an error that nobody handles', () => {
  it.each(['rejection', 'timer', 'emitted object'])(
    'is one fatal line, and the end once every request in flight is answered: %s',
    async (FAULT) => {
      const service = start({ FAULT });
      const [, port] = await service.printed(/Pet Store +http:\/\/127\.0\.0\.1:(\d+)\/v1\n/);
      const inFlight = await Wire.to(Number(port));
      inFlight.send(HEAD);
      await inFlight.answer();
      const ended = service.stop('SIGWINCH');
      await service.printed(/"level":60/);
      inFlight.send(BODY);
      expect(await inFlight.closed()).toMatch(/HTTP\/1.1 201 [^]*Connection: close\r\n/);
      const { code, output, stderr } = await ended;
      expect(code).toBe(1);
      const err = { type: 'Error', message: 'out of luck', cause: { type: 'Error', message: 'the cause' } };
      expect(fatal(stderr)).toMatchObject([
        {
          context: 'Process',
          msg: expect.stringMatching(/out of luck$/) as string,
          ...(FAULT !== 'emitted object' && { err }),
        },
      ]);
      expect(fatal(stderr)[0]).not.toHaveProperty('err.code', 'ERR_UNHANDLED_ERROR');
      expect(output).not.toContain('sesame');
    },
  );

  it('is told at the log level silent, too, which tells nothing else', async () => {
    const service = start({ FAULT: 'timer', LOG_LEVEL: 'silent' });
    await service.printed(/Pet Store/);
    const { code, stderr } = await service.stop('SIGWINCH');
    expect([code, fatal(stderr)]).toMatchObject([1, [{ msg: 'out of luck' }]]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('ends a start that waits for its database, in the same form', async () => {
    const DATABASE_URL = `mysql://127.0.0.1:${await freePort()}/petstore`;
    const service = start({ FAULT: 'timer', DATABASE_URL });
    await service.printed(/ Waiting\./);
    const { code, output, stderr } = await service.stop('SIGWINCH');
    expect([code, fatal(stderr)]).toMatchObject([1, [{ msg: 'out of luck' }]]);
    expect(output).not.toContain('sesame');
  });

  it.each(['rejection', 'object'])(
    'ends a command with a sentence that says what to do: %s',
    async (FAULT) => {
      const file = join(folder, `${FAULT}.db`);
      const environment = { FAULT, NODE_OPTIONS, DATABASE_URL: `sqlite:${file}`, MIGRATE_ON_START: 'true' };
      const command = spawnPetstore(['pets', 'import', '--format', 'csv', '-'], environment, folder);
      await eventually(async () => existsSync(file));
      expect(await command.stop('SIGWINCH')).toMatchObject({
        code: 1,
        stdout: '',
        stderr:
          'petstore: ended by an error that nobody expected: out of luck. See what it has done before you run it again, and report this.\n',
      });
    },
  );
});
