import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { readSettings, VARIABLE_NAMES } from '../../../src/platform/config/settings.js';

const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
const names = [...text.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);

it('lists every variable that the service reads, once, and no other', () => {
  expect(names.toSorted()).toEqual(VARIABLE_NAMES.toSorted());
});

it('sets nothing by itself', () => {
  expect(parseEnv(text)).toEqual({});
});

it('shows the defaults', () => {
  const uncommented = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ''));
  expect(readSettings(uncommented)).toEqual(readSettings({}));
});

it('explains each variable in one line above it', () => {
  for (const name of names) expect(text).toMatch(new RegExp(`\\n\\n# [A-Z][^\\n]+\\n# ${name}=`));
});

it('is the table of the operator', () => {
  const document = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const rows = [...document.matchAll(/^\| `([A-Z_]+)` *\| (\S+) *\| (.+?) *\|$/gm)];
  const entries = [...text.matchAll(/^# ([A-Z].+)\n# ([A-Z_]+)=(.*)$/gm)];
  expect(rows.map(([, name, value, meaning]) => [name, value, meaning])).toEqual(
    entries.map(([, meaning, name, value]) => [name, value ? `\`${value}\`` : '-', meaning]),
  );
});
