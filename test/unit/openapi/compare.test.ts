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
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Runs the command on a document and a changelog. */
  async function compare(document: object, text: string) {
    await writeFile(join(root, 'docs/openapi.json'), JSON.stringify(document));
    await writeFile(join(root, 'CHANGELOG.md'), text);
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, root], { encoding: 'utf8' });
    return { code: status, said: stdout, failure: stderr };
  }

  it('fails on breaks, and prints the lines that allow them', async () => {
    const { code, said, failure } = await compare(broken, changelog(''));
    expect([code, said]).toEqual([1, '']);
    expect(failure).toContain(`breaks clients of 1.1.0:\n${BREAKS}`);
    expect(failure).toContain('below "Unreleased" in CHANGELOG.md');
  });

  it('passes breaks that the changelog names, also within a wrapped sentence', async () => {
    const text =
      '- Names may be absent (`breaking: Pet in answers: field name optional`), and `status` is gone (`breaking: listPets: query parameter\n  status removed`).\n';
    expect(await compare(broken, changelog(text))).toEqual({
      code: 0,
      said: 'docs/openapi.json breaks what CHANGELOG.md names (2) of 1.1.0; 0 other changes.\n',
      failure: '',
    });
  });

  it('fails on a break that the changelog does not name, or names for an earlier version only', async () => {
    const [, first, second] = BREAKS.split('\n');
    const { code, failure } = await compare(broken, changelog(`${first}\n`, second));
    expect(code).toBe(1);
    expect(failure).toContain(second);
    expect(failure).not.toContain(first);
  });

  it('fails on a break that the changelog names but that does not exist', async () => {
    const { code, failure } = await compare(released, changelog(BREAKS));
    expect(code).toBe(1);
    expect(failure).toContain(`does not break what CHANGELOG.md says below "Unreleased":\n${BREAKS}`);
  });
});
