import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const file = resolve(root, 'docs/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

/** Every part of the document, with the JSON pointer that leads to it. */
function* parts(value: unknown, pointer = '#'): Generator<[pointer: string, part: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [pointer, value as Record<string, unknown>];
  for (const [name, part] of Object.entries(value)) {
    yield* parts(part, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  }
}

describe('the document', () => {
  it('has nothing that redocly would complain about', () => {
    const output = execFileSync(
      process.execPath,
      [resolve(root, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', '--format=json', file],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ).toString();
    const { totals } = JSON.parse(output.slice(output.indexOf('{'))) as { totals: object };
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  it('has only examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(document, 'openapi');
    let checked = 0;
    const check = (pointer: string, example: unknown) => {
      const fits = ajv.compile({ $ref: `openapi${pointer}` });
      expect(fits(example), `${pointer}: ${JSON.stringify(example)} ${ajv.errorsText(fits.errors)}`).toBe(
        true,
      );
      checked += 1;
    };
    for (const [pointer, part] of parts(document)) {
      if ('type' in part && 'example' in part && !pointer.endsWith('/properties'))
        check(pointer, part['example']);
      if (!('schema' in part) || !('examples' in part)) continue;
      for (const { value } of Object.values(part['examples'] as Record<string, { value: unknown }>)) {
        check(`${pointer}/schema`, value);
      }
    }
    expect(checked).toBeGreaterThan(40);
  });

  it('has an example for each error that an operation may answer with', () => {
    for (const [pointer, part] of parts(document['paths'])) {
      const status = Number(pointer.split('/').at(-1));
      if (!(status >= 400) || !('content' in part)) continue;
      const { examples } = (part['content'] as Record<string, { examples?: object }>)['application/json']!;
      expect(Object.keys(examples ?? {}).length, pointer).toBeGreaterThan(0);
    }
  });

  it('has an example for each field of each shape', () => {
    // Not for parameters: the page would fill it in, and a cursor or a key that is made up is refused.
    for (const [pointer, part] of parts(document)) {
      if (!/\/components\/schemas\/\w+\/properties\/\w+$/.test(pointer)) continue;
      // Where a schema is referred to, its own example stands there; a list has those of its items.
      if ('$ref' in part || 'allOf' in part || part['type'] === 'array') continue;
      expect(part, pointer).toHaveProperty('example');
    }
  });
});
