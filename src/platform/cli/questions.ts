import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Terminal } from './command-context.js';

export class Questions {
  #asked: Interface | undefined;

  constructor(private readonly terminal: Terminal) {}

  async confirm(question: string): Promise<boolean> {
    const { stdin: input, stderr: output } = this.terminal;
    this.#asked ??= createInterface({ input, output });
    // Leaving without an answer is not an agreement.
    const left = once(this.#asked, 'close').then(() => '');
    return /^y(?:es)?$/i.test(await Promise.race([this.#asked.question(`${question} [y/N] `), left]));
  }

  close(): void {
    this.#asked?.close();
  }
}
