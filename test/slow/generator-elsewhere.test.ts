import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TreeCopy } from '../support/processes/tree-copy.js';

const COMMAND = ['run', '-s', 'generate:module', '--', 'shelters', 'Shelter'];

/** Every text of a tree with CRLF, as git writes it on Windows by default. */
function toCrlf(tree: string): void {
  rmSync(join(tree, '.gitattributes'));
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || file.endsWith('.png')) continue;
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\r?\n/g, '\r\n'));
  }
}

// It also runs `npm run document`, which takes a minute on a busy machine.
describe('the command that generates a module', { timeout: 600_000 }, () => {
  it('writes CRLF into a tree with CRLF, in a folder of any name', async () => {
    const copy = await TreeCopy.make((path) => toCrlf(path('.')), "a b#c%20d?e%2F'f%");
    onTestFinished(() => copy.remove());
    const clean = copy.changes();
    const { code, output } = await copy.run('npm', COMMAND);
    expect(code, output).toBe(0);
    const written = copy.changes().filter((change) => !clean.includes(change));
    expect(written.filter((change) => change.startsWith('M '))).toEqual([
      'M client/src/api-types.ts',
      'M docs/api.md',
      'M docs/openapi-3.0.json',
      'M docs/openapi.json',
      'M src/app.module.ts',
    ]);
    expect(written.length).toBeGreaterThan(20);
    expect(copy.linesLost('src/app.module.ts')).toBe(0);
    const files = written.map((change) => change.replace(/^\S+ /, ''));
    const formatted = await copy.run('node', ['node_modules/prettier/bin/prettier.cjs', '--check', ...files]);
    expect(formatted.code, formatted.output).toBe(0);
    for (const file of files) expect(readFileSync(copy.path(file), 'utf8'), file).not.toMatch(/(?<!\r)\n/);
  });
});
