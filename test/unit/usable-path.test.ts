import { expect, it } from 'vitest';
import { checkPath } from '../support/run/usable-path.js';

it.each(['/home/a b/petstore', '/srv/(a) $d;&=+@ü', 'C:\\petstore'])('tests run in %s', (folder) =>
  expect(() => checkPath(folder)).not.toThrow(),
);

it.each([
  ['/home/a#b/petstore', '#'],
  ["/home/o'brien", "'"],
  ['/home/[a]', '['],
  ['/home/{a}', '{'],
  ['/home/feature%2Fpets', '%'],
])('tests do not run in %s, and a sentence says so', (folder, found) => {
  expect(() => checkPath(folder)).toThrow(
    new Error(
      `Vitest cannot run tests below ${folder}: its path has "${found}". Move the project to a path without it; the service and the generator work here.`,
    ),
  );
});
