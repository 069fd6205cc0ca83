import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';

const promtool = inject('promtoolPath');
const root = resolve(import.meta.dirname, '../../..');
const run = (...args: string[]) =>
  execFileSync(promtool!, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });

describe.skipIf(promtool === undefined)('the alerts', () => {
  it('are rules that Prometheus accepts', () => {
    const files = ['alerts', 'alerts-haproxy', 'alerts-database'].map(
      (name) => `docs/operations/${name}.yml`,
    );
    expect(run('check', 'rules', ...files).match(/SUCCESS: \d+ rules found/g)).toHaveLength(files.length);
  });

  it('fire when they should, and only then', () => {
    expect(run('test', 'rules', 'test/e2e/observability/alerts.promtool.yml')).toContain('SUCCESS');
  });
});
