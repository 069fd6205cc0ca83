import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText } from '../support/read-text.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readText(join(ROOT, file));

interface Update {
  readonly 'package-ecosystem': string;
  readonly directory?: string;
  readonly directories?: readonly string[];
  readonly schedule: { readonly interval: string };
  readonly cooldown?: { readonly 'default-days': number };
}

describe('A dependency from outside', () => {
  it('is pinned in CI to a commit of the action, with its version in a comment', () => {
    const workflows = readdirSync(join(ROOT, '.github/workflows'));
    const uses = workflows.flatMap((file) => read(`.github/workflows/${file}`).match(/\buses:.*/g) ?? []);
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: [\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('is proposed each week for every lock, the images and the actions, a week after its release', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as { updates: Update[] };
    const inside = ['client', 'deploy', 'examples', 'mcp', 'test', 'tools'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    );
    const locks = inside.filter((file) => /^(?!.*node_modules).*\/package-lock\.json$/.test(file));
    const folders = ['/', ...locks.map((file) => `/${dirname(file)}`)];
    const placesOf = ({ directory, directories = [directory!] }: Update) => directories.toSorted();
    expect(
      Object.fromEntries(updates.map((update) => [update['package-ecosystem'], placesOf(update)])),
    ).toEqual({
      npm: folders.toSorted(),
      docker: ['/', '/deploy/kubernetes'],
      'docker-compose': ['/'],
      'github-actions': ['/'],
    });
    for (const { schedule, cooldown } of updates) {
      expect(schedule.interval).toBe('weekly');
      expect(cooldown?.['default-days']).toBeGreaterThanOrEqual(7);
    }
  });
});
