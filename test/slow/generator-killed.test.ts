import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TreeCopy } from '../support/processes/tree-copy.js';

/** Calls before which the process is killed: while it copies the tree, formats, writes its journal, and moves files. */
const EARLY = ['writeFileSync 500', 'renameSync 1'];
const HALF_WAY = ['renameSync 2', 'renameSync 20'];

describe('the generator of modules', () => {
  let copy: TreeCopy;
  let clean: string[];
  let modules = 0;
  beforeAll(async () => {
    copy = await TreeCopy.make();
    clean = copy.changes();
  });
  afterAll(() => copy.remove());

  const run = (args: string[], killBefore = '') =>
    copy.run('node', ['tools/generate-module/cli.js', '--no-document', ...args], {
      NODE_OPTIONS: `--import ${copy.path('test/support/processes/kill-generator.mjs')}`,
      KILL_BEFORE: killBefore,
    });
  /** @returns exit code, output, and the changes that are left in the tree */
  async function generate(killBefore: string) {
    modules += 1;
    const { code, output } = await run([`shelter${modules}s`, `Shelter${modules}`], killBefore);
    const left = copy.changes().filter((change) => !clean.includes(change));
    return { code, output, left };
  }

  it.each([...EARLY, ...HALF_WAY])(
    'that is killed before %s of its work leaves the tree unchanged',
    async (call) => {
      const { code, output, left } = await generate(`${call} work`);
      expect([code, output]).toEqual([1, 'The generator was killed (SIGKILL). Nothing of it is left.\n']);
      expect(left).toEqual([]);
    },
  );

  it.each(HALF_WAY)(
    'that is killed with all its processes, before %s, reverts its work in the next run',
    async (call) => {
      const { left } = await generate(`${call} both`);
      if (call !== 'renameSync 2') expect(left).not.toEqual([]);
      const { code, output } = await run(['no module']);
      expect([code, output]).toEqual([
        2,
        expect.stringMatching(/^An earlier run .* was killed. Nothing of it is left.\n/),
      ]);
      expect(copy.changes()).toEqual(clean);
    },
  );

  it('does not begin while another generator runs', async () => {
    const [one, other] = await Promise.all([run(['nests', 'Nest']), run(['caves', 'Cave'])]);
    expect([one.code, other.code]).toContain(1);
    expect(one.output + other.output).toContain('Another run of the generator is active: process');
    expect(copy.changes().every((change) => !change.includes('generate-module'))).toBe(true);
  });
});
