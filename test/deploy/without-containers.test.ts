import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEnvFile } from '../../src/platform/config/env-file.js';
import { readSettings, VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { spawnPetstore } from '../support/built-service.js';
import { keepFolder, forgetFolder } from '../support/processes/keeper.js';
import { programPath } from '../support/processes/local-program.js';
import { eventually } from '../support/eventually.js';
import { Program } from '../support/program.js';
import { readText } from '../support/read-text.js';
import { compose } from '../support/site/compose-file.js';

const ROOT = join(import.meta.dirname, '../..');
const UNIT = join(ROOT, 'deploy/systemd/petstore@.service');
const unit = readFileSync(UNIT, 'utf8');
const operations = readText(join(ROOT, 'docs/operations.md'));
const deployment = readText(join(ROOT, 'docs/operations/deployment.md'));
/** Settings that each instance has for itself, or that only the service uses. */
const OF_SERVING = ['PORT', 'METRICS_PORT', 'DRAIN_DELAY', 'KEEP_ALIVE_TIMEOUT'];
const systemdAnalyze = programPath('systemd-analyze');
const logrotate = programPath('logrotate');

/** The value of a directive that occurs exactly once in the unit. */
function directive(name: string): string {
  const values = [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
  expect([name, values.length]).toEqual([name, 1]);
  return values[0]!;
}

describe('The steps from an empty server', () => {
  it('name the port and each setting that a replica of compose.yaml has', () => {
    const [, steps] = /^### From an empty server(.*?)^### A process for each core/ms.exec(operations)!;
    const named = [...steps!.matchAll(/`([A-Z_]+)(?:=[^`]*)?`/g)].map(([, name]) => name!);
    const settings = Object.keys(compose.services['petstore-1']!.environment!);
    expect(named).toEqual(expect.arrayContaining([...settings, 'PORT']));
    expect(named.filter((name) => !VARIABLE_NAMES.includes(name) && name !== 'REDIS_URL')).toEqual([]);
  });
});

describe('The systemd unit', () => {
  const [, documented] = /^```sh\nuseradd .*\n([^]*?)^systemctl /m.exec(deployment)!;
  const commands = documented!.split('\n');
  let root: string;

  /** Installs as the document says, but below a folder. */
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'petstore-systemd-'));
    keepFolder(root);
    mkdirSync(join(root, 'etc/systemd/system'), { recursive: true });
    const install = commands
      .filter((line) => /^(?:install|echo) /.test(line))
      .map((line) => line.replace('-g petstore ', '').replace(' /etc/', ` ${root}/etc/`));
    execFileSync('sh', ['-ec', install.join('\n')], { cwd: ROOT });
  });
  afterAll(() => {
    rmSync(root, { recursive: true });
    forgetFolder(root);
  });

  it.skipIf(systemdAnalyze === undefined)('is valid when it is installed as the document says', () => {
    const [, name] = /^systemd-analyze verify (\S+) +# prints nothing$/m.exec(documented!)!;
    cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true });
    const verify = () => {
      const { status, stdout, stderr } = spawnSync(systemdAnalyze!, [`--root=${root}`, 'verify', name!], {
        encoding: 'utf8',
      });
      return [status, stdout + stderr];
    };
    expect(verify()).toEqual([1, `${name}: Command petstore is not executable: No such file or directory\n`]);
    // npm installs the command here.
    mkdirSync(join(root, 'usr/bin'));
    writeFileSync(join(root, 'usr/bin/petstore'), '#!/bin/sh\n', { mode: 0o755 });
    expect(verify()).toEqual([0, '']);

    const file = join(root, 'etc/systemd/system/petstore@.service');
    writeFileSync(file, unit.replace('TimeoutStopSec', 'TimeoutStopSecs'));
    expect(verify()).toEqual([expect.any(Number), expect.stringContaining('TimeoutStopSecs')]);
    writeFileSync(file, unit);
  });

  it('shares the settings for all instances with commands that are run by hand', async () => {
    const folder = join(root, dirname(directive('EnvironmentFile')));
    appendFileSync(join(folder, '.env'), `DATABASE_URL=sqlite:${root}/petstore.db\n`);
    const issue = ['keys', 'issue', '--name', 'shop window', '--json'];
    const { stdout } = await spawnPetstore(issue, {}, folder).end();
    expect((JSON.parse(stdout) as { secret: string }).secret).toMatch(/^psk_live_/);
    const shared = { ...environment };
    expect(loadEnvFile(shared, join(folder, '.env'))).toEqual([]);
    expect(readSettings(shared).production).toBe(true);
    // A setting that a unit and a command read from different files could differ.
    const forAll = Object.keys(environment).filter((key) => !OF_SERVING.includes(key));
    expect(forAll).toEqual([]);
  });

  it.skipIf(systemdAnalyze === undefined)('gives the service only the permissions that it needs', () => {
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

  it('gives each instance the port of its name, and its own port of metrics', () => {
    const { port, metricsPort } = settings;
    expect([port, metricsPort]).toEqual([3001, 13_001]);
  });

  it('leaves the service the time to stop', () => {
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
  it('rotates the log of a running service, which continues in the emptied file', async () => {
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
    // A line is written after its response.
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
