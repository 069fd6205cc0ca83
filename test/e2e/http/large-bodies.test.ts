import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const SIZE = 8 * 1024 * 1024;
/** In bytes: the limit of a response, for a body of any size. */
const LARGEST_ANSWER = 40 * 1024;
const rex = '"name":"Rex","categoryId":7';
const fields = (count: number, name: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `"${name(i)}":1`).join();
const long = 'n'.repeat(SIZE - 100);
const million = `[${'7,'.repeat(999_999)}7]`;

describe('a body of eight megabytes, where the operator allows it', () => {
  let service: Service;
  beforeAll(async () => (service = await startService(sqlite, { environment: { BODY_LIMIT: '8mb' } })));
  afterAll(() => service.stop());

  it.each<[string, string, string, string]>([
    ['a long name', `{"name":"${long}","categoryId":7}`, 'validation_failed', '/name must have at most'],
    ['one long text that does not end', `"${long}`, 'invalid_json', 'at character 1'],
    ['a long unknown field', `{${rex},"${long}":1}`, 'validation_failed', 'n… is not known'],
    [
      'a hundred thousand fields',
      `{${fields(100_000, (i) => `field${i}`)}}`,
      'invalid_json',
      'more than 1000 members',
    ],
    ['a list of a million', million, 'validation_failed', 'The body must be a JSON object'],
    [
      'lists in lists',
      `[${`${'['.repeat(30)}${']'.repeat(30)},`.repeat(130_000)}1]`,
      'invalid_json',
      '250000',
    ],
    [
      'a long number',
      `{"name":"Rex","categoryId":${'9'.repeat(SIZE - 100)}}`,
      'validation_failed',
      'from -92',
    ],
  ])('is refused in few words: %s', async (_, body, code, words) => {
    const { status, json, text } = await service.client.post('/v1/pets', body, {
      headers: { Accept: 'application/problem+json' },
    });
    expect({ status, json }).toMatchObject({ status: 400, json: { code } });
    expect((json as { message: string }).message).toContain(words);
    expect(Buffer.byteLength(text)).toBeLessThan(LARGEST_ANSWER);
  });

  it('is taken when it is space around a pet', async () => {
    const { status } = await service.client.post('/v1/pets', `{${rex}${' '.repeat(SIZE - 100)}}`);
    expect(status).toBe(201);
  });

  it('has an answer of bounded size, whatever the names in it are made of', async () => {
    // JSON needs six bytes for each of these characters.
    for (const length of [1, 64, 1_000]) {
      const body = `{${fields(1_000, (i) => `${i}${String.raw`\u0001`.repeat(length)}`)}}`;
      const { json, text } = await service.client.post('/v1/pets', body, {
        headers: { Accept: 'application/problem+json' },
      });
      expect((json as { details: unknown[] }).details).toHaveLength(50);
      expect(Buffer.byteLength(text)).toBeLessThan(80 * 1024);
    }
  });
});
