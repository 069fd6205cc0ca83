import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, installClient } from './built-client.js';
import { answer, ScriptedServer } from './scripted-server.js';

const run = promisify(execFile);

/** Each function, and what of the client it needs besides the transport. */
const NEEDS: Readonly<Record<string, string[]>> = {
  listPets: ['listPets', 'listPetsPage'],
  listPetsPage: ['listPetsPage'],
  createPet: ['createPet'],
  getPet: ['getPet'],
  listOrders: ['listOrders', 'listOrdersPage'],
  listOrdersPage: ['listOrdersPage'],
  createOrder: ['createOrder'],
  getOrder: ['getOrder'],
  updateOrder: ['updateOrder'],
  get: ['get'],
  post: ['post'],
  patch: ['patch'],
  del: ['del'],
};

describe('a bundle with one function of the client', () => {
  let installation: Installation;
  let server: ScriptedServer;
  beforeAll(() => void (installation = installClient()));
  beforeAll(async () => void (server = await ScriptedServer.start()));
  afterAll(() => server.stop());

  async function bundle(name: string, program: string, minify = false): Promise<string> {
    const input = join(installation.folder, `${name}.mjs`);
    writeFileSync(input, program);
    const bundled = await rolldown({ input });
    const { output } = await bundled.generate({ minify });
    await bundled.close();
    expect(output.length).toBe(1);
    return output[0].code;
  }
  const exported = (name: string) => `export { ${name}, Transport } from '@petstore/client';`;

  const CLASSES = /\b(?:PetStoreClient|Pets|Orders)\b/g;

  it('has a line here for each function of the package', async () => {
    const all = (await import(join(installation.dist, 'index.js'))) as Record<string, unknown>;
    const functions = Object.keys(all).filter((name) => /^[a-z]/.test(name));
    expect(functions.toSorted()).toEqual(Object.keys(NEEDS).toSorted());
  });

  it.each(Object.entries(NEEDS))('has no other operation, and no class of them: %s', async (name, needs) => {
    const code = await bundle(name, exported(name));
    const functions = [...code.matchAll(/^function (\w+)\(/gm)].map(([, found]) => found!);
    expect(functions.filter((found) => found in NEEDS).toSorted()).toEqual(needs.toSorted());
    expect(code.match(CLASSES)).toBeNull();
    const isList = name.startsWith('list');
    expect([code.includes('nextCursor'), code.includes('/store/orders'), code.includes('PATCH')]).toEqual([
      isList,
      /Order/.test(name),
      /updateOrder|patch/.test(name),
    ]);
  });

  it('is smaller, and works', async () => {
    const program = `
      import { createPet, Transport } from '@petstore/client';
      const transport = new Transport({ baseUrl: process.env.PETSTORE_URL });
      console.log(JSON.stringify(await createPet(transport, { name: 'Rex', categoryId: 2n ** 63n - 1n })));`;
    const code = await bundle('program', program, true);
    const everything = `export * from '@petstore/client';`;
    const whole = await bundle('whole', everything, true);
    expect(code.length).toBeLessThan(whole.length * 0.85);
    expect(new Set((await bundle('readable', everything)).match(CLASSES)).size).toBe(3);
    const file = join(installation.folder, 'bundled.mjs');
    writeFileSync(file, code);
    server.does(answer(201, '{"id":1,"categoryId":9223372036854775807}'));
    const env = { PETSTORE_URL: `${server.origin}/v1`, PETSTORE_API_KEY: 'psk_test_key' };
    const { stdout } = await run(process.execPath, [file], { env });
    expect(JSON.parse(stdout)).toEqual({ id: '1', categoryId: '9223372036854775807' });
    expect(server.arrivals).toMatchObject([{ body: '{"name":"Rex","categoryId":9223372036854775807}' }]);
  });
});
