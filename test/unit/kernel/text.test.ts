import { describe, expect, it } from 'vitest';
import { textProblems, type TextBounds, validateText } from '../../../src/kernel/text.js';

const blank = { code: 'blank', message: 'must have at least one visible character' };
const control = { code: 'control_character', message: 'must not contain control characters' };
const malformed = {
  code: 'malformed_text',
  message: 'must be well-formed Unicode, without lone surrogates',
};
const short = (least: number) => ({ code: 'too_short', message: `must have at least ${least} characters` });
const long = (most: number) => ({ code: 'too_long', message: `must have at most ${most} characters` });

describe('a text', () => {
  it.each<[string, TextBounds, object[]]>([
    ['', {}, []],
    ['', { minLength: 1 }, [blank]],
    ['\u2800', { minLength: 3, maxLength: 0 }, [blank, long(0)]],
    ['\n', {}, [control]],
    ['Rex\u0007', { minLength: 1, maxLength: 3 }, [control, long(3)]],
    ['Rex \ud83d', { minLength: 1 }, [malformed]],
    ['ab', { minLength: 3 }, [short(3)]],
    ['abc', { minLength: 3 }, []],
    ['🐶🐶', { minLength: 3 }, [short(3)]],
    ['🐶🐶🐶', { minLength: 3, maxLength: 3 }, []],
    ['abcd', { minLength: 3, maxLength: 3 }, [long(3)]],
  ])('%j within %j has these problems: %j', (text, bounds, problems) => {
    expect(textProblems(text, bounds)).toEqual(problems);
  });
});

describe('a field with a text', () => {
  it('has the problems of its text, under its name', () => {
    expect(validateText('name', '', 3)).toEqual([{ field: 'name', ...blank }]);
    expect(validateText('name', 'abcd', 3)).toEqual([{ field: 'name', ...long(3) }]);
    expect(validateText('name', 'abc', 3)).toEqual([]);
  });

  it.each([undefined, null])('has no problem when the text is %s', (text) => {
    expect(validateText('name', text, 3)).toEqual([]);
  });
});
