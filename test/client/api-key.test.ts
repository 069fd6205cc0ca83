import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { PetStoreClient } from '../../client/src/index.js';
import { answer, ScriptedServer } from './scripted-server.js';

const server = await ScriptedServer.start();
afterAll(() => server.stop());

describe('the API key of the client', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const make = (apiKey?: string) => new PetStoreClient({ baseUrl: `${server.origin}/v1`, apiKey });
  const authorizationOf = async (client: PetStoreClient) => {
    server.does(answer(200, {}));
    await client.get('/vets');
    return server.arrivals[0]?.headers.authorization;
  };

  it('is that of PETSTORE_API_KEY if none is given', async () => {
    vi.stubEnv('PETSTORE_API_KEY', 'psk_test_environment');
    expect(await authorizationOf(make())).toBe('Bearer psk_test_environment');
    expect(await authorizationOf(make('psk_test_option'))).toBe('Bearer psk_test_option');
  });

  it('is missed by the names of the option and of the variable', () => {
    vi.stubEnv('PETSTORE_API_KEY', undefined);
    expect(make).toThrow(
      new TypeError(
        'There is no API key: give the option apiKey, or set PETSTORE_API_KEY in the environment.',
      ),
    );
  });

  it.each(['', 'psk_secret\n'])('is refused under the name of the variable if that has %j', (value) => {
    vi.stubEnv('PETSTORE_API_KEY', value);
    expect(make).toThrow(new TypeError('PETSTORE_API_KEY is empty or has characters that no key has.'));
  });

  it('is not looked for behind an option that is empty', () => {
    vi.stubEnv('PETSTORE_API_KEY', 'psk_test_environment');
    expect(() => make('')).toThrow(new TypeError('apiKey is empty or has characters that no key has.'));
  });
});
