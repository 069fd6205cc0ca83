import { afterAll, beforeAll, expect, it } from 'vitest';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { SqliteDatabase } from '../support/servers/sqlite-database.js';
import { CHUNKED } from './http/chunks.js';
import { CONNECTIONS } from './http/connections.js';
import { HEADERS } from './http/headers.js';
import type { HttpCase } from './http/http-case.js';
import { LENGTHS } from './http/lengths.js';
import { LINES } from './http/lines.js';
import { RESOURCES } from './http/resources.js';
import { exchange } from './support/exchange.js';
import { inParallel } from './support/in-parallel.js';

const CASES = [...LINES, ...HEADERS, ...LENGTHS, ...CHUNKED, ...RESOURCES, ...CONNECTIONS];

let database: SqliteDatabase;
let replica: Replica;
beforeAll(async () => {
  database = new SqliteDatabase();
  replica = await Replica.start(database.url, { LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  await replica.discard();
  database.remove();
});

/** Every refusal with a body has the JSON Error body, with the status of the response. */
const ERROR = /\r\ncontent-type: application\/json; charset=utf-8\r\n/i;

async function problemWith({
  message,
  outcome,
  has,
  lacks,
  halfClose,
}: HttpCase): Promise<string | undefined> {
  // Of alternative outcomes, the first one.
  const expected = outcome.replaceAll(/\(([^|)]*)[^)]*\)/g, '$1').match(/\b[2-5]\d\d/g) ?? [];
  const { answers, summary } = await exchange(replica.port, message, {
    finals: Math.max(1, expected.length),
    halfClose,
  });
  if (!new RegExp(`^(?:${outcome})$`).test(summary)) return summary;
  for (const { status, head, body } of answers) {
    if (has && status >= 200 && !has.test(head)) return `${status} without ${has}`;
    if (lacks?.test(head + body)) return `${status} with ${lacks}`;
    const isError = status >= 400 && body !== '';
    if (isError && (!ERROR.test(head) || (JSON.parse(body) as { status: number }).status !== status))
      return `${status} with ${body}`;
  }
  return undefined;
}

it('HTTP/1.1 is spoken as RFC 9110 and 9112 say', async (context) => {
  const problems = await inParallel(
    CASES,
    async (one) => {
      const problem = await problemWith(one);
      return (
        problem &&
        `${one.section}: ${JSON.stringify(one.message.slice(0, 300))}: ${problem}, not ${one.outcome}`
      );
    },
    64,
  );
  const found = problems.filter((problem) => problem !== undefined);
  const sections = new Set(CASES.map(({ section }) => section.split(':')[0]));
  note(context, {
    promise: 24,
    line: `${CASES.length} messages about ${sections.size} sections: ${found.length} answered otherwise`,
    figures: { cases: CASES.length, sections: sections.size, problems: found.length },
    kept: found.length + replica.surprises.length === 0,
  });
  expect([found, replica.surprises]).toEqual([[], []]);
});
