import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { edited, GONE, released } from './edited-document.js';

const COMMAND = resolve(import.meta.dirname, '../../../tools/openapi/compare.js');

const broken = edited(released, { 'listPets parameters 2': GONE, 'Pet required 1': GONE });
const BREAKS = `
- \`breaking: listPets: query parameter status removed\`
- \`breaking: Pet in answers: field name optional\`
`;
const changelog = (unreleased: string, earlier = '') =>
  `# Changelog\n\n## [Unreleased]\n${unreleased}\n## [1.1.0] - 2026-11-25\n${earlier}`;

describe('npm run document:compare', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'petstore-compare-'));
    await mkdir(join(root, 'docs/releases'), { recursive: true });
    await writeFile(join(root, 'docs/releases/1.1.0.json'), JSON.stringify(released));
    await writeFile(join(root, 'CHANGELOG.md'), changelog(''));
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Runs the command on a document and a changelog. */
  async function compare({ document = broken, text = changelog('') }: { document?: object; text?: string }) {
    await writeFile(join(root, 'docs/openapi.json'), JSON.stringify(document));
    await writeFile(join(root, 'CHANGELOG.md'), text);
    return run();
  }
  function run() {
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, root], { encoding: 'utf8' });
    return { code: status, said: stdout, failure: stderr };
  }

  it('passes a document that breaks nothing', async () => {
    const document = edited(released, { 'Pet properties colour': { type: 'string' } });
    expect(await compare({ document })).toEqual({
      code: 0,
      said: 'docs/openapi.json breaks nothing of 1.1.0; 1 other change.\n',
      failure: '',
    });
  });

  it('fails on breaks, and prints the lines that allow them', async () => {
    const { code, said, failure } = await compare({});
    expect([code, said]).toEqual([1, '']);
    expect(failure).toContain(`breaks clients of 1.1.0:\n${BREAKS}`);
    expect(failure).toContain('below "Unreleased" in CHANGELOG.md');
  });

  it.each([
    ['as they were printed', changelog(BREAKS)],
    ['wrapped', changelog(BREAKS.replace('parameter status', 'parameter\n  status'))],
    [
      'in a sentence',
      changelog(
        '- Names may be absent (`breaking: Pet in answers: field name optional`), and `status` is gone (`breaking: listPets: query parameter status removed`).\n',
      ),
    ],
  ])('passes breaks that the changelog names: %s', async (_, text) => {
    expect(await compare({ text })).toEqual({
      code: 0,
      said: 'docs/openapi.json breaks what CHANGELOG.md names (2) of 1.1.0; 0 other changes.\n',
      failure: '',
    });
  });

  it('fails on the one that is not named, or was named for an earlier version', async () => {
    const [, first, second] = BREAKS.split('\n');
    const { code, failure } = await compare({ text: changelog(`${first}\n`, second) });
    expect(code).toBe(1);
    expect(failure).toContain(second);
    expect(failure).not.toContain(first);
  });

  it('fails on a break that is named and is none', async () => {
    const { code, failure } = await compare({ document: released, text: changelog(BREAKS) });
    expect(code).toBe(1);
    expect(failure).toContain(`does not break what CHANGELOG.md says below "Unreleased":\n${BREAKS}`);
  });
});
