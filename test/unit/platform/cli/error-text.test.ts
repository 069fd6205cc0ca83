import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { NoSuchFile } from '../../../../src/platform/files/input-file.js';
import { errorText } from '../../../../src/platform/cli/error-text.js';
import { printable } from '../../../../src/platform/cli/printable.js';

const missing = new NoSuchFile('There is no file a.csv.');
const usage = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--loud'");
const help = new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)');

describe('what is said of an error', () => {
  it.each<[unknown, boolean, string | undefined]>([
    [missing, false, 'petstore: There is no file a.csv.'],
    [missing, true, '{"code":"no_such_file","message":"There is no file a.csv."}'],
    [new Error('gone'), true, '{"message":"gone"}'],
    ['gone', true, '{"message":"gone"}'],
    [usage, false, undefined],
    [usage, true, `{"code":"wrong_usage","message":"unknown option '--loud'"}`],
    [help, true, undefined],
  ])('%s, as JSON: %s', (error, json, text) => expect(errorText(error, json)).toBe(text));

  it('moves no cursor', () => expect(printable('a\u001b[2Jb\u0085')).toBe('a\ufffd[2Jb\ufffd'));
});
