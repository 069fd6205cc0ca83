import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { settingsOfModules } from '../../../src/platform/config/module-settings.js';
import { readSettings, VARIABLE_NAMES } from '../../../src/platform/config/settings.js';
import { readText } from '../../support/read-text.js';

const text = readText('.env.example');
const names = [...text.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);

it('.env.example contains every variable that the service and its modules read, once, and no other variable', () => {
  const ofModules = settingsOfModules(MODULES).flatMap(({ variables }) => Object.values(variables));
  expect(names.toSorted(), 'each has two lines in .env.example: a sentence, and "# NAME=default"').toEqual(
    [...VARIABLE_NAMES, ...ofModules.map(([name]) => name)].toSorted(),
  );
});

it('.env.example sets no variable', () => {
  expect(parseEnv(text)).toEqual({});
});

it('.env.example shows the defaults', () => {
  const uncommented = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ''));
  expect(readSettings(uncommented, MODULES)).toEqual(readSettings({}, MODULES));
});

it('.env.example explains each variable in one line above it', () => {
  for (const name of names) expect(text).toMatch(new RegExp(`\\n\\n# [A-Z][^\\n]+\\n# ${name}=`));
});
