import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadEnvFile } from '../../../../src/platform/config/env-file.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-env-'));
  file = join(folder, '.env');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The environment with the variables of a file, and the errors in the file. */
function load(content: string | Buffer, environment: NodeJS.ProcessEnv = {}) {
  writeFileSync(file, content);
  const mistakes = loadEnvFile(environment, file);
  return { environment, mistakes };
}

it('a missing file is not an error', () => {
  expect(loadEnvFile({}, file)).toEqual([]);
});

it.each(['\n', '\r\n'])('variables are read, but do not replace variables of the environment: %j', (end) => {
  const text = '# a comment\n\nPORT=1\nexport HOST = x\nTEXT="one\ntwo" # more\nLAST=\'a#b\'\nEMPTY=# none\n';
  const { environment, mistakes } = load(text.replaceAll('\n', end), { HOST: 'y' });
  expect(environment).toEqual({ PORT: '1', HOST: 'y', TEXT: 'one\ntwo', LAST: 'a#b', EMPTY: '' });
  expect(mistakes).toEqual([]);
});

it('a byte order mark is not part of the first name', () => {
  expect(load('\ufeffPORT=1\n')).toEqual({ environment: { PORT: '1' }, mistakes: [] });
});

it.each<[string, Buffer]>([
  ['UTF-16', Buffer.from('PORT=1\n', 'utf16le')],
  ['UTF-16 with a mark', Buffer.from('\ufeffPORT=1\n', 'utf16le')],
  ['Latin-1', Buffer.from('NAME=caf\u00e9\n', 'latin1')],
])('a file in another encoding is an error: %s', (_, content) => {
  expect(load(content)).toEqual({
    environment: {},
    mistakes: ['.env: is not encoded in UTF-8; save it in that encoding'],
  });
});

it('a folder is an error', () => {
  mkdirSync(file);
  expect(loadEnvFile({}, file)).toEqual(['.env: is a folder; put a file in its place, or remove it']);
});

it.each(['\n', '\r\n'])(
  'lines that would be ignored, and values that would be cut, are errors: %j',
  (end) => {
    const text =
      'PORT=1\nTEXT="one\ntwo"\nsesame\nKEY=sesame#1\nKEY: sesame\n# A="\nA="sesame"x\nB=\'sesame\n';
    expect(load(text.replaceAll('\n', end)).mistakes).toEqual([
      '.env: line 4 is neither NAME=value nor a comment, which begins with #',
      '.env: line 5 has a # in its value, which would begin a comment; put the value in quotes',
      '.env: line 6 is neither NAME=value nor a comment, which begins with #',
      '.env: line 8 does not end with its quote',
      '.env: line 9 does not end with its quote',
    ]);
  },
);

it('a quote that is missing is an error, also if a later value closes it', () => {
  const cases: [text: string, ...mistakes: string[]][] = [
    [
      "REGION='eu\nDATABASE_URL='mysql://localhost/pets'\n",
      'line 1 has a value in quotes that contains line 2, which begins like a setting; end the value with its quote',
    ],
    [
      '# a\nREGION="eu\n\n  export DATABASE_URL = "x"\nPORT=1\n',
      'line 2 has a value in quotes that contains line 4, which begins like a setting; end the value with its quote',
    ],
    ["A='one\n# it's two\n", 'line 1 does not end with its quote'],
    ["A='one' 'two'\n", 'line 1 does not end with its quote'],
    ["A='one\n", 'line 1 does not end with its quote'],
  ];
  for (const [text, ...mistakes] of cases)
    expect(load(text).mistakes).toEqual(mistakes.map((mistake) => `.env: ${mistake}`));
});

it('a line that Node does not read is an error', () => {
  const unread =
    '.env: line 3 is not read by Node; begin it with NAME=, and remove the spaces from empty lines before it';
  const { environment, mistakes } = load('A=1\n \nB=2\n');
  // Node 20 reads the name as "\nB".
  expect(mistakes).toEqual(environment['B'] === '2' ? [] : [unread]);
  expect(load('A=1\n\nB=2\n').mistakes).toEqual([]);
});

it('a value in quotes may have several lines, such as a key in base64', () => {
  const key = '-----BEGIN KEY-----\nMIIBVgIBADANBgkq\nhkiG9w0BAQEFAASCAUA=\nABCDEF==\n-----END KEY-----';
  expect(load(`KEY='${key}'\nPORT=1\n`)).toEqual({ environment: { KEY: key, PORT: '1' }, mistakes: [] });
});

it('each name at the beginning of a line is a variable, or the file has an error', () => {
  const piece = fc.constantFrom(
    'A=',
    'B=',
    '\nC=',
    '\nexport D = ',
    '\n',
    "'",
    '"',
    '`',
    ' ',
    '#',
    'x',
    '\r\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const { environment, mistakes } = load(text);
      if (mistakes.length > 0) return;
      const names = [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z])[ \t]*=/gm)].map(([, name]) => name!);
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(names));
    }),
    { numRuns: 2_000 },
  );
});
