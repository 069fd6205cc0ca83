import { Writable } from 'node:stream';
import { eventually } from '../eventually.js';

export class Recorder extends Writable {
  text = '';

  constructor(private readonly also = (_text: string) => {}) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const text = chunk.toString();
    this.text += text;
    this.also(text);
    done();
  }

  async wrote(pattern: RegExp): Promise<void> {
    await eventually(() => Promise.resolve(pattern.test(this.text)));
  }
}
