import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PetRecord } from '../../../src/pet-files/application/pet-import.js';
import { textCell, type Format } from '../../../src/pet-files/adapters/cli/pet-text.js';
import { petRecords } from '../../../src/pet-files/adapters/cli/pet-records.js';
import { exactOf } from '../../../src/platform/json/index.js';

/** Reads bytes that arrive in pieces of this size. */
function read(format: Format, content: string | Buffer, size = 65_536): Promise<PetRecord[]> {
  const bytes = Buffer.from(content);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  return readPieces(format, pieces);
}

async function readPieces(format: Format, pieces: readonly Buffer[]): Promise<PetRecord[]> {
  const records: PetRecord[] = [];
  for await (const record of petRecords(Readable.from(pieces), format)) records.push(record);
  return records;
}
const dataOf = async (format: Format, content: string | Buffer, size?: number) =>
  (await read(format, content, size)).map(({ data, problems }) => data ?? problems);

describe('the records of CSV', () => {
  it.each([3, 7, 1_000])('are the same in pieces of %i bytes', async (size) => {
    const content = Buffer.concat([
      Buffer.from('\ufeff"name",categoryId,status\r\n\n"Re""x,\r\n the 🐶",9007199254740993,\r\n'),
      Buffer.from([0xff, 0x2c, 0x37, 0x2c, 0x0a]),
      Buffer.from(`'=1+1,7.0,sold\nTom,7\n ä ,1E3, sold`),
    ]);
    expect(await dataOf('csv', content, size)).toEqual([
      { name: 'Re"x,\r\n the 🐶', categoryId: 9007199254740992 },
      [{ field: '', code: 'malformed_text', message: 'is not valid UTF-8' }],
      { name: '=1+1', categoryId: 7, status: 'sold' },
      [{ field: '', code: 'invalid_type', message: 'has 2 cells where the first line names 3' }],
      { name: ' ä ', categoryId: '1E3', status: ' sold' },
    ]);
  });

  it.each([false, true])(
    'keep every text that an export wrote as a cell, for a spreadsheet: %s',
    (spreadsheet) => {
      const begins = fc.constantFrom('', '=', "'=", "''@", '\n');
      const text = fc
        .tuple(begins, fc.string({ unit: 'grapheme' }), fc.string())
        .map((parts) => parts.join('').toWellFormed());
      return fc.assert(
        fc.asyncProperty(fc.array(text.filter((name) => name !== '')), async (names) => {
          const lines = names.map((name) => `${textCell(name, spreadsheet)}\n`).join('');
          expect(await dataOf('csv', `name\n${lines}`)).toEqual(names.map((name) => ({ name })));
        }),
      );
    },
  );

  it.each([
    ['a quote that does not end', 'name\nRex\n"Tom\n\n', 'Quote Not Closed: .* line \\d'],
    ['text behind a quoted cell', 'name\nRex\n"Tom"y\n', 'Invalid Closing Quote: .* line 3'],
    ['a quote in the middle of a cell', 'name\nT"o"m\n', 'Invalid Opening Quote: .* line 2'],
    ['a cell without an end', `name\n"${'Tom\n'.repeat(20_000)}"`, 'Max Record Size: .* 65536'],
  ])('are rejected for %s, because the following records would be wrong', async (_, content, reason) => {
    await expect(read('csv', content)).rejects.toThrow(
      new RegExp(`${reason}[^]* A cell with a quote in it stands in quotes, and has that one twice\\.$`),
    );
  });

  it.each([
    ['an unknown column', 'name,categoryId,stauts\n'],
    ['a column twice', 'name,categoryId,name\n'],
    ['ids', 'id,name,categoryId\n'],
    ['UTF-16', Buffer.from('\ufeffname,categoryId\n', 'utf16le')],
  ])('must begin with the names of columns, and are rejected for %s', async (_, content) => {
    await expect(read('csv', content)).rejects.toThrow(
      'The first line must name, in UTF-8, columns of these, each once: name,categoryId,status',
    );
  });
});

describe('the records of NDJSON', () => {
  it.each([3, 7, 1_000])('are the same in pieces of %i bytes', async (size) => {
    const content = Buffer.concat([
      Buffer.from('\ufeff{"name":"Re\\"x, 🐶","categoryId":9007199254740993}\r\n\n[]\n{"na\n'),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from('"a\0b"\n{"status":"sold"}'),
    ]);
    expect(await dataOf('ndjson', content, size)).toEqual([
      { name: 'Re"x, 🐶', categoryId: 9007199254740992 },
      [{ field: '', code: 'invalid_type', message: 'must be a JSON object' }],
      [{ field: '', code: 'malformed_text', message: expect.stringContaining('is not acceptable JSON') }],
      [{ field: '', code: 'malformed_text', message: expect.stringContaining('not valid UTF-8') }],
      [{ field: '', code: 'malformed_text', message: expect.stringContaining('is not acceptable JSON') }],
      { status: 'sold' },
    ]);
  });

  it('have the limits of a request body', async () => {
    const lines = [`{"name":[${'1,'.repeat(19_998)}1]}`, '{"constructor":1}', '{"name":"Rex"}'];
    expect(await dataOf('ndjson', lines.join('\n'))).toMatchObject([
      [{ message: 'is not acceptable JSON: it has more than 20000 values' }],
      [{ message: 'is not acceptable JSON: it has a member named constructor' }],
      { name: 'Rex' },
    ]);
  });

  it('are rejected for a line that is too long, with advice about lines', async () => {
    const content = `{"name":"Rex"}\n{"name":"${'x'.repeat(70_000)}"}\n`;
    await expect(read('ndjson', content)).rejects.toThrow(
      /Max Record Size: .* 65536 at line 2\. A line has one JSON object, and ends with a line feed\.$/,
    );
  });

  it('of an empty file do not exist', async () => expect(await read('ndjson', '')).toEqual([]));
});

/** Every way to cut these bytes into chunks. */
function* cuts(bytes: Buffer): Generator<Buffer[]> {
  yield [bytes];
  for (let end = 0; end < bytes.length; end++)
    for (const rest of cuts(bytes.subarray(end + 1))) yield [bytes.subarray(0, end + 1), ...rest];
}

it.each<[Format, string, string]>([
  ['csv', 'name\nRex', '\ufeff'],
  ['csv', 'name\nRex', ''],
  ['ndjson', '{"name":"Rex"}', '\ufeff'],
  ['ndjson', '{"name":"Rex"}', ''],
])(
  'Records of %s are read however the beginning is cut into chunks: %j after %j',
  async (format, text, mark) => {
    const begin = Buffer.from(`${mark}${text.slice(0, 3)}`);
    for (const chunks of cuts(begin)) {
      const records = await readPieces(format, [Buffer.alloc(0), ...chunks, Buffer.from(text.slice(3))]);
      expect(records.map(({ data }) => data)).toEqual([{ name: 'Rex' }]);
    }
  },
);

it.each(['\ufeff\ufeff', '\ufefe', 'ä', '\uffff', '🐶'])(
  'A record that begins with %j keeps these characters, however they are cut into chunks',
  async (begin) => {
    const bytes = Buffer.from(`${begin}"`);
    for (const chunks of cuts(bytes)) {
      const [record] = await readPieces('ndjson', chunks);
      expect(record).toEqual((await read('ndjson', bytes))[0]);
      expect(record!.problems).toHaveLength(1);
    }
  },
);

it.each<Format>(['csv', 'ndjson'])(
  'An input of %s that ends within the byte order mark is rejected',
  async (format) => {
    for (const length of [1, 2]) {
      const records = read(format, Buffer.from('\ufeff').subarray(0, length));
      if (format === 'csv') await expect(records).rejects.toThrow('The first line must name, in UTF-8');
      else expect(await records).toMatchObject([{ problems: [{ code: 'malformed_text' }] }]);
    }
  },
);

it.each<[Format, string, string]>([
  ['csv', 'name,categoryId\n', 'Rex,7\n'],
  ['ndjson', '', '{"name":"Rex","categoryId":7}\n'],
])(
  'Records of %s are read only as fast as they are used, so that memory does not grow',
  async (format, head, line) => {
    const LINES = 1_000;
    let pieces = 0;
    async function* endless() {
      yield Buffer.from(head);
      for (; ; pieces++) yield Buffer.from(line.repeat(LINES));
    }
    let taken = 0;
    for await (const _ of petRecords(endless(), format)) if (++taken === 50 * LINES) break;
    expect(pieces - taken / LINES).toBeLessThan(20);
  },
);

it('Records of different files have different texts for their hash', async () => {
  const files = [
    'name\nRex\n',
    'name\nRex\nRex',
    'name\nTom',
    'status\nRex',
    'name,status\nRex,',
    'name\n"R""ex"',
  ];
  const texts = await Promise.all(
    files.map(async (file) => (await read('csv', file)).map(({ text }) => text).join('')),
  );
  expect(new Set(texts).size).toBe(files.length);
});

describe('a text as a cell', () => {
  it.each([
    ['=1+1', `"=1+1"`, `"'=1+1"`],
    ["'=1+1", `"''=1+1"`, `"''=1+1"`],
    ["'Rex", `"'Rex"`, `"'Rex"`],
    ['', '""', '""'],
    [undefined, '', ''],
  ])('%j is %s, and %s for a spreadsheet', (text, plain, safe) => {
    expect([textCell(text), textCell(text, true)]).toEqual([plain, safe]);
  });
});

it.each<[Format, string]>([
  ['csv', 'name,categoryId\nRex,9223372036854775807\n'],
  ['ndjson', '{"name":"Rex","categoryId":9223372036854775807}'],
])('a record of %s has the exact value of each integer beside its number', async (format, content) => {
  const [record] = await read(format, content);
  expect(record!.data).toEqual({ name: 'Rex', categoryId: 2 ** 63 });
  expect(exactOf(record!.data, 'categoryId')).toBe(2n ** 63n - 1n);
  expect(exactOf(record!.data, 'name')).toBeUndefined();
});
