import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings, VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { build } from '../support/built-service.js';
import { keepFolder, forgetFolder } from '../support/processes/keeper.js';
import { programPath } from '../support/processes/local-program.js';
import { eventually } from '../support/eventually.js';
import { Program } from '../support/program.js';
import { readText } from '../support/read-text.js';

const ROOT = join(import.meta.dirname, '../..');
const UNIT = join(ROOT, 'deploy/systemd/petstore@.service');
const unit = readFileSync(UNIT, 'utf8');
const systemdAnalyze = programPath('systemd-analyze');
const logrotate = programPath('logrotate');

/** The value of a directive that occurs exactly once in the unit. */
function directive(name: string): string {
  const values = [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
  expect([name, values.length]).toEqual([name, 1]);
  return values[0]!;
}

describe('The systemd unit', () => {
  it.skipIf(systemdAnalyze === undefined)('has no fault but that the service is not installed here', () => {
    const said = (file: string) => {
      const { stderr } = spawnSync(systemdAnalyze!, ['verify', file], { encoding: 'utf8' });
      return stderr.split('\n').filter((line) => line.includes('petstore'));
    };
    const notInstalled =
      /^petstore@\w+\.service: Command petstore is not executable: No such file or directory$/;
    expect(said(UNIT)).toEqual([expect.stringMatching(notInstalled)]);

    const folder = mkdtempSync(join(tmpdir(), 'petstore-unit-'));
    const misspelt = join(folder, 'petstore@.service');
    writeFileSync(misspelt, unit.replace('TimeoutStopSec', 'TimeoutStopSecs'));
    expect(said(misspelt).join()).toContain('TimeoutStopSecs');
    rmSync(folder, { recursive: true });
  });

  it.skipIf(systemdAnalyze === undefined)('leaves the service no more than it needs', () => {
    // From 0 (nothing) to 100 (everything); the command fails above the threshold.
    const limits = ['--offline=true', '--threshold=15', '--no-pager'];
    const { status, stdout } = spawnSync(systemdAnalyze!, ['security', ...limits, UNIT], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('Overall exposure level')]);
  });

  it('starts the command of the package, with variables that the service reads', () => {
    const { bin } = JSON.parse(readFileSync(join(ROOT, 'deploy/npm/package.json'), 'utf8')) as {
      bin: object;
    };
    const [command, ...args] = directive('ExecStart').split(' ');
    expect([Object.keys(bin), args]).toEqual([[command], ['serve']]);
    expect(Object.keys(environment).filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
    expect(directive('EnvironmentFile')).toBe('/etc/petstore/.env');
  });

  it('gives each instance the port that it is called by, and metrics of its own', () => {
    const { production, port, metricsPort } = settings;
    expect([production, port, metricsPort]).toEqual([true, 3001, 13_001]);
  });

  it('leaves it the time to stop', () => {
    expect(Number(directive('TimeoutStopSec')) * 1_000).toBeGreaterThanOrEqual(settings.drainDelay + 10_000);
    expect(directive('Restart')).toBe('on-failure');
  });

  const environment = Object.fromEntries(
    directive('Environment')
      .replaceAll('%i', '3001')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  const settings = readSettings(environment);
});

describe.skipIf(logrotate === undefined)('The configuration of logrotate', () => {
  it('rotates the log of a running service, which goes on in the emptied file', async () => {
    build();
    const folder = mkdtempSync(join(tmpdir(), 'petstore-logrotate-'));
    keepFolder(folder);
    const log = join(folder, 'petstore.log');
    const rules = readText(join(ROOT, 'deploy/logrotate/petstore'));
    writeFileSync(join(folder, 'rules'), rules.replaceAll('/var/log/petstore.log', log), { mode: 0o644 });
    const environment = { PATH: process.env['PATH'] ?? '', PORT: '0', DATABASE_URL: 'sqlite::memory:' };
    const cli = join(ROOT, 'dist/cli.js');
    // Appends to the log, as systemd does for StandardError=append:.
    const command = `exec '${process.execPath}' '${cli}' serve 2>>'${log}'`;
    const service = Program.run('sh', ['-c', command], environment, folder);
    const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
    const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

    await (await fetch(`${origin}/v1/pets`)).text();
    // A line is written after its answer.
    await eventually(async () => linesOf(log).at(-1)!.includes('"context":"Request"'));
    const before = linesOf(log);
    execFileSync(logrotate!, ['--force', '--state', join(folder, 'state'), join(folder, 'rules')]);
    expect(linesOf(`${log}.1`)).toEqual(before);
    await (await fetch(`${origin}/v1/pets/7`)).text();
    expect((await service.stop()).code).toBe(0);
    expect(linesOf(log).map((line) => (JSON.parse(line) as { context: string }).context)).toEqual([
      'Request',
      'Stop',
    ]);
    rmSync(folder, { recursive: true });
    forgetFolder(folder);
  });
});
