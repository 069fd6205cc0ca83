import { expect, it } from 'vitest';
import { PROBLEM_CODES } from '../../src/kernel/domain-error.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { BODY_LIMITS } from '../../src/platform/json/json-limits.js';
import { shownName } from '../../src/platform/json/shown-name.js';
import { presentText } from '../../tools/openapi/written-documents.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { GUIDE, limitInGuide, rowsOf } from '../support/api-guide.js';

interface Described {
  readonly components: {
    readonly schemas: { readonly Error: { properties: { details: { maxItems: number } } } };
  };
  readonly paths: Readonly<Record<string, { get: { parameters: { name: string; schema: Bounds }[] } }>>;
}
interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

const document = resolvedDocument(JSON.parse(presentText('docs/openapi.json')) as Described);
const { maxItems } = document.components.schemas.Error.properties.details;
const { schema: sizeOfPage } = document.paths['/pets']!.get.parameters.find(({ name }) => name === 'limit')!;

const settings = readSettings({ DATABASE_URL: 'sqlite::memory:' }, []);
const inText = (count: number) => count.toLocaleString('en-GB');
const limits: readonly [what: string, limit: string][] = [
  [
    'body, compressed and decompressed',
    `${settings.bodyLimit / 1024} KiB (${inText(settings.bodyLimit)} bytes)`,
  ],
  ['nesting of the body', `${BODY_LIMITS.depth} levels`],
  ['members of an object in the body', String(BODY_LIMITS.members)],
  ['JSON values in the body', inText(BODY_LIMITS.values)],
  ['problems in `details`', String(maxItems)],
  [
    'a field or parameter name in an error',
    `${shownName('x'.repeat(1_000)).replace('…', '').length} characters`,
  ],
  ['time between two requests of a connection', `${settings.keepAliveTimeout / 1_000} s`],
  ['requests in flight in one process', String(settings.maxInFlight)],
];

// test/e2e/http/connections.test.ts reads the limits of URLs and headers from the guide.
it.each(limits)('docs/api.md has the limit of the code for %s: %s', (what, limit) => {
  const shown = limitInGuide(what);
  expect(shown?.startsWith(limit), shown).toBe(true);
});

it('docs/api.md has the names that a body may not have, and the size of a page', () => {
  for (const name of BODY_LIMITS.refusedNames) expect(GUIDE).toContain(`\`${name}\``);
  expect(GUIDE).toContain(
    `from ${sizeOfPage.minimum} to ${sizeOfPage.maximum}. The default is ${sizeOfPage.default}.`,
  );
});

it('docs/api.md explains each code of a detail', () => {
  const codes = rowsOf('`details\\[\\]\\.code`').map(([code]) => code!.replaceAll('`', ''));
  expect(codes.toSorted()).toEqual([...PROBLEM_CODES].toSorted());
});
