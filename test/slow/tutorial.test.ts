import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes/local-program.js';
import { type Running, TreeCopy } from '../support/processes/tree-copy.js';
import { readText } from '../support/read-text.js';

const PAGE = 'docs/adding-a-module.md';
const ORIGIN = 'http://127.0.0.1:3000';
const KEY = 'psk_test_...';
const TIMEOUT = 600_000;

/** A part of the page, in order: a block of code, and the prose before it. */
interface Step {
  readonly before: string;
  readonly language: string;
  readonly code: string;
  /** The file that the line before the block names: the block is the whole file. */
  readonly file: string | undefined;
}

function stepsOf(page: string): Step[] {
  let end = 0;
  return [...page.matchAll(/^(`{3,})(\w+)\n(.*?)^\1$/gms)].map(
    ({ 0: whole, 2: language, 3: code, index }) => {
      const before = page.slice(end, index);
      end = index + whole.length;
      const [, file] =
        /^`([\w./-]+)`:\n\n$/m.exec(before.slice(before.trimEnd().lastIndexOf('\n') + 1)) ?? [];
      return { before, language: language!, code: code!, file };
    },
  );
}

/** Follows the page as a reader does, in a copy of the tree, with the service on a port of its own. */
class Reader {
  readonly #copy: TreeCopy;
  readonly #port: number;
  #service: Running | undefined;
  #key = '';
  /** Variables that a block exports are set for the later ones. */
  #exported = '';

  constructor(copy: TreeCopy, port: number) {
    this.#copy = copy;
    this.#port = port;
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.#copy.path(file)), { recursive: true });
    writeFileSync(this.#copy.path(file), text);
  }

  /** Runs a block of commands. `npm start` runs until Ctrl-C. */
  async run(code: string): Promise<{ code: number | null; output: string }> {
    if (code === 'npm start\n') return await this.#start();
    const own = code.replaceAll(ORIGIN, `http://127.0.0.1:${this.#port}`).replaceAll(KEY, this.#key);
    const args = ['--norc', '-euc', this.#exported + own];
    const ending = await this.#copy.run('bash', args, { NO_COLOR: '1' });
    this.#exported += (own.match(/^export [A-Z_]+=.*\n/gm) ?? []).join('');
    return ending;
  }

  async #start() {
    const service = this.#copy.start('npm', ['start'], { PORT: String(this.#port) });
    this.#service = service;
    const ended = service.ended.then(({ output }) => expect.fail(`The service ended:\n${output}`));
    ended.catch(() => undefined);
    // It listens before it is ready. When it is ready, it prints a key, or how to issue one.
    const isServing = async () => {
      expect(service.printed()).toContain('API key ');
      this.#key ||= /psk_test_\w+/.exec(service.printed())?.[0] ?? '';
      expect(this.#key).not.toBe('');
    };
    await Promise.race([eventually(isServing), ended]);
    return { code: 0, output: service.printed() };
  }

  async interrupt(): Promise<void> {
    this.#service!.interrupt();
    expect((await this.#service!.ended).code).toBe(0);
    this.#service = undefined;
  }

  get isServing(): boolean {
    return this.#service !== undefined;
  }
}

describe.skipIf(!inject('curlIsInstalled'))(PAGE, () => {
  const steps = stepsOf(readText(PAGE));
  let copy: TreeCopy;
  let reader: Reader;
  beforeAll(async () => {
    copy = await TreeCopy.make();
    reader = new Reader(copy, await freePort());
  });
  afterAll(() => copy.remove());

  it('goes from the first command to green tests', { timeout: TIMEOUT }, async () => {
    for (const [i, { before, language, code, file }] of steps.entries()) {
      if (reader.isServing && before.includes('Stop the service with Ctrl-C.')) await reader.interrupt();
      if (file !== undefined) reader.write(file, code);
      if (language !== 'sh') continue;
      const next = steps[i + 1];
      const shown = next?.file === undefined ? next : undefined;
      const ending = await reader.run(code);
      const fails = shown?.language === 'text' && / [1-9]\d* failed/.test(shown.code);
      expect(ending.code === 0, `${code}${ending.output}`).toBe(!fails);
      if (shown?.language === 'text')
        for (const line of shown.code.trimEnd().split('\n'))
          expect(ending.output.replaceAll(/ +/g, ' ')).toContain(line.replaceAll(/ +/g, ' '));
      if (shown?.language === 'json') expect(JSON.parse(ending.output), code).toEqual(JSON.parse(shown.code));
    }
    expect(reader.isServing).toBe(false);
  });

  it('names only files that are there at the end', () => {
    const prose = steps.map(({ before }) => before).join('');
    const paths = [...prose.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(copy.path(path)))).toEqual([]);
  });

  it('shows each file as prettier formats it', { timeout: TIMEOUT }, async () => {
    const files = steps.flatMap(({ file }) => file ?? []);
    expect(files.length).toBeGreaterThan(5);
    const { code, output } = await copy.run('npx', ['prettier', '--check', ...files, 'src/shelters']);
    expect(code, output).toBe(0);
  });
});
