import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { DomainError, type ErrorKind } from '../../../../../src/kernel/domain-error.js';
import { StoppedBySignal } from '../../../../../src/platform/ops/cli/errors.js';
import { errorText, EXIT_CODES_HELP, exitCodeOf } from '../../../../../src/platform/ops/cli/exit-codes.js';
import { printable, printableLines } from '../../../../../src/platform/json/index.js';
import { NoSuchFile } from '../../../../../src/pet-files/adapters/cli/import.command.js';

class Refusal extends DomainError {
  static readonly code = 'refused';

  constructor(override readonly kind: ErrorKind) {
    super('refused');
  }
}

/** The error that Commander throws for these arguments. */
const thrownBy = (...words: string[]): unknown => {
  const quiet = { writeOut: () => undefined, writeErr: () => undefined };
  const program = new Command('petstore').version('1.0.0').exitOverride().configureOutput(quiet);
  const refuse = () => {
    throw new InvalidArgumentError('No.');
  };
  program
    .command('feed')
    .requiredOption('--pet <name>', 'whom', refuse)
    .exitOverride()
    .configureOutput(quiet);
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe('the exit code', () => {
  it.each([['--help'], ['--version'], ['feed --help'], ['help feed']])(
    'is 0 for help and version: %s',
    (words) => expect(exitCodeOf(thrownBy(...words.split(' ')))).toBe(0),
  );

  it.each([['feed'], ['feed --pet Rex'], ['fed'], ['feed --cat Tom'], ['feed Rex'], ['--loud'], ['']])(
    'is 2 for wrong usage of a command: "%s"',
    (words) => {
      const error = thrownBy(...words.split(' ').filter(Boolean));
      expect(error).toBeInstanceOf(CommanderError);
      expect(exitCodeOf(error)).toBe(2);
    },
  );

  it.each<[number, ErrorKind]>([
    [3, 'not_found'],
    [4, 'conflict'],
    [2, 'invalid'],
    [1, 'unavailable'],
    [1, 'forbidden'],
    [1, 'gone'],
  ])('is %i for an error of the kind %s', (code, kind) => {
    expect(exitCodeOf(new Refusal(kind))).toBe(code);
  });

  it('is 128 plus the number of the signal that stopped the command, as in shells', () => {
    expect(exitCodeOf(new StoppedBySignal('SIGTERM', 'Begin again.'))).toBe(128 + 15);
  });

  it.each([new Error('unexpected'), 'a text', undefined, { kind: 'not_found' }])(
    'is 1 for anything else: %j',
    (error) => expect(exitCodeOf(error)).toBe(1),
  );

  it('is explained in the help, each code once', () => {
    const codes = [...EXIT_CODES_HELP.matchAll(/^ {2}(\d) {2,}\S/gm)].map(([, code]) => code);
    expect(codes).toEqual(['0', '1', '2', '3', '4']);
  });
});

const missing = new NoSuchFile('There is no file a.csv.');
class Outage extends DomainError {
  static readonly kind = 'unavailable';
  static readonly code = 'away';
}
const outage = new Outage('The database is away.', { cause: new Error('INSERT command denied') });
const usage = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--loud'");
const help = new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)');

describe('the printed text of an error', () => {
  it.each<[unknown, boolean, string | undefined]>([
    [missing, false, 'petstore: There is no file a.csv.'],
    [missing, true, '{"code":"no_such_file","message":"There is no file a.csv."}'],
    [outage, false, 'petstore: The database is away. The reason: INSERT command denied'],
    [new Error('gone'), true, '{"message":"gone"}'],
    ['gone', true, '{"message":"gone"}'],
    [usage, false, undefined],
    [usage, true, `{"code":"wrong_usage","message":"unknown option '--loud'"}`],
    [help, true, undefined],
  ])('%s, as JSON: %s', (error, json, text) => expect(errorText(error, json)).toBe(text));

  it('contains no character that moves the cursor or reverses text', () => {
    expect(printable('a\u001b[2Jb\u0085')).toBe('a\ufffd[2Jb\ufffd');
    expect(printable('a\u202Eb')).toBe('a\ufffdb');
  });

  it('remains the same JSON when a command prints it as a line', () => {
    const value = ['two\nlines', 'pay\u202Ecnuol', 'tag\u{E0041}', '猫 ❤️', '\u009b31m'];
    const printed = printableLines(JSON.stringify(value));
    expect(printed).toContain('pay\\u202ecnuol');
    expect(JSON.parse(printed)).toEqual(value);
    expect(printableLines('two\nlines')).toBe('two\nlines');
  });
});
