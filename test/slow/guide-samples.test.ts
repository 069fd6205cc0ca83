import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { installClient } from '../client/built-client.js';
import { existing } from '../support/engines.js';
import { browserIsInstalled, launchBrowser } from '../support/http/browser.js';
import { readText } from '../support/read-text.js';
import { type Service, startService } from '../support/service.js';

const run = promisify(execFile);
const DESK = 'http://127.0.0.1:3000';
/** Headers that the guide says its examples leave out. */
const LEFT_OUT = [
  'Date',
  'Connection',
  'Keep-Alive',
  'Content-Length',
  'X-Request-Id',
  'Cache-Control',
  'Vary',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'Referrer-Policy',
  'X-Content-Type-Options',
  'X-Frame-Options',
];

const inMemory = existing({ url: 'sqlite::memory:' });

interface Sample {
  readonly language: 'sh' | 'js';
  readonly code: string;
  /** The response shown below it. */
  readonly answer: string | undefined;
}

/** The commands and programs of a page, each with the response shown below it. */
function samplesOf(page: string): Sample[] {
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));
  return blocks.flatMap(({ language, code }, i) => {
    const next = blocks[i + 1];
    const answer = next && ['http', 'json'].includes(next.language) ? next.code : undefined;
    return language === 'sh' || language === 'js' ? [{ language, code, answer }] : [];
  });
}

/** A response with other ids: for a page that is read alone, and after another one. */
const withoutIds = (text: string) => text.replaceAll(/"(id|petId)":\d+/g, '"$1":0');

/** A response as curl prints it, or its body alone, with times normalized. */
function parsed(text: string) {
  const [head, body] = text.startsWith('HTTP/') ? text.split('\n\n') : ['', text];
  const [status, ...lines] = head!.trimEnd().split('\n');
  const headers = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
  const bodies = (body ?? '').trim().replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"(an instant)"');
  return { status, headers: Object.fromEntries(headers), body: bodies };
}

describe.skipIf(!inject('curlIsInstalled') || !browserIsInstalled)('A command to paste from', () => {
  let service: Service;
  /** The service of a reader who begins with orders. */
  let forOrders: Service;
  /** A service whose operator allows another origin (CORS). */
  let forPages: Service;
  let folder: string;
  beforeAll(async () => {
    service = await startService(inMemory);
    const environment = { CORS_ORIGINS: 'https://shop.example' };
    forPages = await startService(inMemory, { environment, beside: service });
    forOrders = await startService(inMemory);
    // Programs find the client there.
    ({ folder } = installClient());
  });
  afterAll(async () => {
    await forOrders?.stop();
    await forPages?.stop();
    await service?.stop();
  });

  let asked: Service;
  const environment = (code: string) => ({
    PETSTORE_URL: `${(code.includes('Origin:') ? forPages : asked).stranger.origin}/v1`,
    PETSTORE_API_KEY: asked.secret,
  });
  /** Runs a program that Node.js 20 is too old for, as the guide says, and compares its output with the comment at its end. */
  async function runsInBrowser(code: string): Promise<void> {
    const [, promised] = /console\.log\(.*\/\/ (.*)$/m.exec(code)!;
    const browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(`${asked.stranger.origin}/docs`);
    const printed = await page.evaluate(`(async (process) => {
      let printed;
      const console = { log: (value) => void (printed = value) };
      ${code}
      return printed;
    })({ env: ${JSON.stringify(environment(code))} })`);
    expect(printed).toEqual(await page.evaluate(`(${promised})`));
    await browser.close();
  }
  const runIn = async (...[program, args]: [program: string, args: string[]]) => {
    const env = { PATH: process.env['PATH'], ...environment(args.at(-1)!) };
    const { stdout, stderr } = await run(program, args, { cwd: folder, env });
    expect(stderr).toBe('');
    return stdout.replaceAll('\r', '');
  };

  it.each([
    ['docs/api.md', 'alone', 16],
    ['docs/modules/store.md', 'after the guide', 2],
    ['docs/modules/store.md', 'alone', 2],
  ])('%s runs %s, and prints the documented response', async (file, when, count) => {
    asked = file === 'docs/modules/store.md' && when === 'alone' ? forOrders : service;
    const shown = when === 'alone' ? (text: string) => text : withoutIds;
    const [setting, ...samples] = samplesOf(readText(file));
    const own = setting!.code.startsWith('export PETSTORE_URL=') ? [] : [setting!];
    // Variables that a block exports are set for the later ones.
    let exported = '';
    for (const { language, code, answer } of [...own, ...samples]) {
      if (language === 'js') {
        if (code.includes('JSON.rawJSON')) await runsInBrowser(code);
        else expect(await runIn(process.execPath, ['--input-type=module', '-e', code])).toContain('Rex');
        continue;
      }
      const stdout = await runIn('bash', ['--norc', '-euc', exported + code]);
      exported += (code.match(/^export .*\n/gm) ?? []).join('');
      if (answer === undefined) {
        expect(stdout).not.toContain('"code"');
        continue;
      }
      const wanted = parsed(shown(answer.replaceAll(DESK, asked.stranger.origin)));
      const found = parsed(shown(wanted.status ? stdout.slice(stdout.lastIndexOf('HTTP/1.1 ')) : stdout));
      expect(found, code).toMatchObject({ status: wanted.status, headers: wanted.headers });
      const untold = Object.keys(found.headers).filter((name) => !(name in wanted.headers));
      expect(
        untold.filter((name) => !LEFT_OUT.includes(name)),
        code,
      ).toEqual([]);
      // A body longer than one line is formatted over several.
      const lines = wanted.body.includes('\n  ') ? JSON.stringify(JSON.parse(wanted.body)) : wanted.body;
      expect(found.body, code).toBe(lines.replaceAll('\n', ''));
    }
    expect(own.length + samples.length).toBe(count);
  });
});
