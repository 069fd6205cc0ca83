import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { keepFolder } from '../../support/processes/keeper.js';
import { installByLock } from './install.js';

const SOURCE = resolve(import.meta.dirname, '../openapi-tools');
const COMPILER = resolve(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
const { PATH = '', HOME = '' } = process.env;
const run = promisify(execFile);

/** A folder for running third-party tools that read the document. */
export class OpenApiTools {
  private constructor(private readonly folder: string) {}

  /** Installs the tools by their lock file, unless they are still there from an earlier run. */
  static async install(files: Readonly<Record<string, string>>): Promise<OpenApiTools> {
    // No package needs its install scripts.
    const installed = await installByLock(SOURCE, '--ignore-scripts');
    const folder = await mkdtemp(join(tmpdir(), 'petstore-openapi-'));
    keepFolder(folder);
    cpSync(SOURCE, folder, { recursive: true });
    symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'generated'));
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    return new OpenApiTools(folder);
  }

  /** Runs a tool to its end. @returns its output @throws Error if it fails */
  run(tool: string, args: readonly string[]): Promise<string> {
    return this.#print(join(this.folder, 'node_modules/.bin', tool), args);
  }

  /** Compiles the programs together with the generated code. */
  compile(): Promise<string> {
    return this.#print(process.execPath, [COMPILER, '--project', '.']);
  }

  /** What a compiled program observes. */
  async seenBy(program: string, ...args: string[]): Promise<unknown> {
    return JSON.parse(await this.#print(process.execPath, [`dist/programs/${program}.js`, ...args]));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  async #print(program: string, args: readonly string[]): Promise<string> {
    const env = { PATH, HOME, NO_COLOR: '1', SCARF_ANALYTICS: 'false' };
    try {
      const { stdout, stderr } = await run(program, args, { cwd: this.folder, env, maxBuffer: 1e8 });
      return stdout + stderr;
    } catch (error) {
      const { message, stdout = '' } = error as { message: string; stdout?: string };
      throw new Error(`${message}\n${stdout}`, { cause: error });
    }
  }
}
