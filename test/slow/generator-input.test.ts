import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TreeCopy } from '../support/processes/tree-copy.js';

const NOTES = ['notes', 'Note'];

/** The arguments, and a part of the error message. */
const REFUSED: readonly (readonly [what: string, args: readonly string[], reason: string])[] = [
  ['no names', [], "missing required argument 'folder'"],
  ['an unknown option', [...NOTES, '--colour'], "unknown option '--colour'"],
  ['a folder with capitals', ['Notes', 'Note'], '"Notes" is not a valid name of a folder'],
  ['an entity in small letters', ['notes', 'note'], '"note" is not a valid name of an entity'],
  ['an abbreviation in capitals', ['api-urls', 'APIUrl'], 'an abbreviation as a word, such as ApiUrl'],
  ['a very long name', ['n'.repeat(32), 'Note'], 'is too long'],
  ['a plural that is the singular', ['sheep', 'Sheep', '--plural', 'sheep'], 'must differ'],
  ['a name that may be a plural or a module', ['mice', 'Mouse'], 'add --plural mice or --plural mouses'],
  ['an existing folder', ['platform', 'Note'], 'src/platform exists already'],
  ['an existing file', ['pets-import', 'Row', '--plural', 'pets-import'], 'import.test.ts is there already'],
  ['a folder that git ignores', ['dist', 'Note'], 'by the rule dist/ (.gitignore:2): choose another name'],
  [
    'a folder that git ignores in this clone only',
    ['caves', 'Cave'],
    'by the rule src/caves (.git/info/exclude:',
  ],
  [
    'an existing module',
    ['pets', 'Animal'],
    'src/pets exists already. To add an entity to it, write: animals Animal --into pets',
  ],
  ['a class of the platform', ['pages', 'Settings'], '"Settings" already'],
  ['an existing table', ['api-keys', 'Secret', '--plural', 'api-keys'], 'a table "api_keys" already'],
  ['an existing path', ['notices', 'Notice'], 'a path /notices already'],
  ['a table with a reserved word of MySQL only', ['groups', 'Group'], '"groups" is a word of SQL'],
  ['an entity with a name of JavaScript', ['pages', 'Date'], '"Date" has another meaning'],
  ['a name that the generated code uses', ['services', 'Service'], '"service" has another meaning'],
  ['a field without a type', [...NOTES, 'weight'], '"weight" is not a field'],
  ['an unknown type', [...NOTES, 'weight:float'], '"float" is not a type of a field'],
  ['a decimal without its digits', [...NOTES, 'weight:decimal'], 'lacks the number of its digits'],
  ['a decimal with too many digits', [...NOTES, 'weight:decimal:19:2'], 'lacks the number of its digits'],
  ['words without values', [...NOTES, 'a:words()'], '"a" lacks its values, such as kind:words(a,b)'],
  ['a field with capitals', [...NOTES, 'Weight:int64'], '"Weight" is not a valid name of a field'],
  ['a field that every module has', [...NOTES, 'id:int64'], '"id" has another meaning'],
  ['a field that every object has', [...NOTES, 'toString:int64'], '"toString" has another meaning'],
  [
    'a field that would make a promise of the object',
    [...NOTES, 'then:boolean'],
    '"then" has another meaning',
  ],
  ['a field with a word of TypeScript', [...NOTES, 'class:int64'], '"class" is a word of TypeScript'],
  ['a long field', [...NOTES, `${'w'.repeat(31)}:int64`], 'is too long'],
  ['two fields of one name', [...NOTES, 'a:int64', 'a:instant'], 'two fields "a"'],
  ['a status beside the status', [...NOTES, '--status', 'status:int64'], 'two fields "status"'],
  ['the owner twice', [...NOTES, '--belongs-to', 'pets', 'petId:int64'], 'two fields "petId"'],
  ['a range that is a field too', [...NOTES, 'dueAt:instant', 'dueAtFrom:int64'], 'two fields "dueAtFrom"'],
  ['a text without a length', [...NOTES, 'a:text'], 'lacks the largest number of characters'],
  ['a text too long for an index', [...NOTES, 'a:text:769'], 'too long for an index'],
  [
    'texts too long for a row',
    [...NOTES, ...[...'abcdefghijklmnopqrst'].map((a) => `${a}:text:768`)],
    'all texts of a row',
  ],
  ['a text that the service gives at once', [...NOTES, 'a:text:9:given'], 'write a:text:9:given?.'],
  ['only fields that the service gives', [...NOTES, 'a:int64:given'], 'The service gives each field.'],
  [
    'two marks',
    [...NOTES, 'a:int64:given:fixed'],
    'has too many parts: write a:int64, with :given or :fixed',
  ],
  [
    'a fixed field without PATCH',
    [...NOTES, 'a:int64', 'b:int64:fixed'],
    'Without --patch, nothing changes "b"',
  ],
  ['only fixed fields with PATCH', [...NOTES, 'a:int64:fixed', '--patch'], 'No field can be changed'],
  ['an integer with a length', [...NOTES, 'a:int64:4'], 'has too many parts'],
  ['an integer with its bounds reversed', [...NOTES, 'a:integer:5:4'], 'lacks its minimum and its maximum'],
  ['an integer beyond 32 bits', [...NOTES, 'a:integer:0:2147483648'], 'values of more than 32 bits'],
  ['an unknown module to extend', [...NOTES, '--into', 'planets'], 'There is no module "planets"'],
  ['a plural beside the module', [...NOTES, '--into', 'pets', '--plural', 'notes'], 'leave out --plural'],
  ['an enum without values', [...NOTES, 'a:enum'], 'lacks its values'],
  ['an enum with a value twice', [...NOTES, 'a:enum(b,b)'], 'the value "b" twice'],
  ['an enum with a value that begins with a hyphen', [...NOTES, 'a:enum(b,-c)'], '"-c" is not a valid value'],
  ['an enum with a value that is not a word', [...NOTES, "a:enum(b,c'd)"], `"c'd" is not a valid value`],
  ['a status with other values', [...NOTES, 'status:enum(a,b)'], 'Write --status'],
  [
    'an enum whose type is something else',
    [...NOTES, 'notFound:enum(a,b)'],
    '"NoteNotFound" has another meaning',
  ],
  ['an unknown owner', [...NOTES, '--belongs-to', 'planets'], 'no table "planets"'],
  [
    'too many indexes for fast writes',
    [...NOTES, ...[...'abcde'].map((a) => `${a}:instant`), 'kind:enum(x)', 'mood:enum(x)', 'size:enum(x)'],
    'needs an index: 23 indexes',
  ],
  [
    'an index with a long name',
    [...NOTES, `${'w'.repeat(30)}:enum(x)`, `${'v'.repeat(30)}:instant`],
    'a name of more than 64 characters',
  ],
];

/** Runs the working part once for each list of arguments, in one process, because a start takes longer than a run. */
const WORK = `
  for (const args of JSON.parse(process.argv[1])) {
    let output = '';
    console.error = (text) => (output += text);
    process.stderr.write = (text) => (output += text, true);
    process.argv.splice(2, Infinity, ...args);
    await import('./tools/generate-module/generate.js?' + JSON.stringify(args));
    console.log(JSON.stringify([process.exitCode, output]));
  }
  process.exitCode = 0;
`;

describe('the command that generates a module', () => {
  let copy: TreeCopy;
  let before: string[];
  let endings: unknown[];
  beforeAll(async () => {
    copy = await TreeCopy.make();
    // A controller whose path differs from the name of its folder.
    const controller = copy.path('src/store/adapters/http/notices.controller.ts');
    writeFileSync(controller, "@Controller('notices/board')\nclass NoticesController {}\n");
    appendFileSync(copy.path('.git/info/exclude'), 'src/caves\n');
    before = copy.changes();
    const asked = JSON.stringify(REFUSED.map(([, args]) => args));
    const { code, output } = await copy.run('node', ['--input-type=module', '-e', WORK, asked]);
    expect(code, output).toBe(0);
    endings = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  });
  afterAll(() => copy.remove());

  it.each(REFUSED.map(([what, , reason], i) => [what, i, reason] as const))(
    'rejects %s in one sentence, with exit code 2',
    (_, i, reason) => {
      expect(endings[i]).toEqual([2, expect.stringContaining(reason)]);
      expect(String(endings[i])).toContain('Nothing was written. An example: npm run generate:module -- ');
    },
  );

  it('writes nothing when it rejects its arguments', () => {
    expect(endings).toHaveLength(REFUSED.length);
    expect(copy.changes()).toEqual(before);
  });

  it('returns its exit code through npm, and prints its help', async () => {
    const command = ['run', '-s', 'generate:module', '--'];
    expect((await copy.run('npm', [...command, 'rows', 'Row'])).code).toBe(2);
    const { code, output } = await copy.run('npm', [...command, '--help']);
    expect([code, output]).toEqual([0, expect.stringContaining('--belongs-to')]);
  });
});
