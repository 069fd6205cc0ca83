import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';

/** Longer outputs are shortened in the middle. */
const MAX_LINES = 24;

/** Runs commands as an operator types them, and records their output. */
export class Diary {
  readonly #pages: string[] = [];

  constructor(
    private readonly introduction: string,
    private readonly folder: string,
    private readonly environment: Record<string, string>,
  ) {}

  /** A new section; `why` is what the operator wants. */
  begin(title: string, why: string): void {
    this.#pages.push(`## ${title}\n\n${why}\n`);
  }

  note(text: string): void {
    this.#pages.push(`${text}\n`);
  }

  /** Runs a command line in a shell. @returns what it printed to standard output. @throws if it ends with another code */
  async run(command: string, { code = 0, shown = command } = {}): Promise<string> {
    const child = spawn('sh', ['-c', command], {
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let all = '';
    let result = '';
    child.stdout.on('data', (text: Buffer) => ((all += text.toString()), (result += text.toString())));
    child.stderr.on('data', (text: Buffer) => (all += text.toString()));
    const [ended] = (await once(child, 'close')) as [number | null];
    if (ended !== code) throw new Error(`"${command}" ended with ${ended}:\n${all}`);
    this.#pages.push(`\`\`\`\n$ ${shown}\n${this.#shorten(all)}\`\`\`\n`);
    return result;
  }

  async write(file: string): Promise<void> {
    await writeFile(file, `${this.introduction}\n${this.#pages.join('\n')}`);
  }

  /** Truncates keys, replaces the path of the folder with `.`, and shortens long outputs. */
  #shorten(text: string): string {
    const plain = text
      .replaceAll(/(psk_(?:live|test)_\w{8})\w+/g, '$1...')
      .replaceAll(this.folder, '.')
      .replaceAll('\r', '')
      .trimEnd();
    if (plain === '') return '';
    const lines = plain.split('\n');
    const half = MAX_LINES / 2;
    if (lines.length > MAX_LINES)
      lines.splice(half, lines.length - MAX_LINES, `[${lines.length - MAX_LINES} lines more]`);
    return `${lines.join('\n')}\n`;
  }
}
