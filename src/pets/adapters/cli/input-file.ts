import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DomainError } from '../../../kernel/domain-error.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';

export class NoSuchFile extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'no_such_file';
}

/** RFC 1952 section 2.3.1. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/** A file that can be read several times. Gzip is decompressed, whatever the name of the file. */
export class InputFile {
  /** The number of bytes that the current read has consumed. */
  position = 0;

  private constructor(
    readonly name: string,
    readonly size: number,
    private readonly path: string,
    private readonly folder?: string,
  ) {}

  /** `-` is standard input, which goes to a temporary file first. @throws NoSuchFile */
  static async open(name: string, stdin: NodeJS.ReadableStream): Promise<InputFile> {
    if (name !== '-') {
      const found = await stat(name).catch(() => undefined);
      if (!found?.isFile()) throw new NoSuchFile(`There is no file ${name}.`);
      return new InputFile(basename(name), found.size, name);
    }
    const folder = await mkdtemp(join(tmpdir(), 'petstore-input-'));
    const path = join(folder, 'input');
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
    return new InputFile('-', (await stat(path)).size, path, folder);
  }

  /** @throws InvalidInputFile where compressed data is damaged, or ends before its end */
  async *bytes(): AsyncGenerator<Buffer> {
    if (!(await this.#begin()).equals(GZIP)) return yield* this.#read();
    const inflated = createGunzip();
    const piping = pipeline(this.#read(), inflated);
    // The reader gets the same error.
    piping.catch(() => undefined);
    try {
      yield* inflated as AsyncIterable<Buffer>;
    } catch (error) {
      if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
      throw new InvalidInputFile(`The gzip data of ${this.name} is damaged, or ends before its end.`);
    }
  }

  /** SHA-256 of `before` and the content of the file, in hex. */
  async hash(before = ''): Promise<string> {
    const hash = createHash('sha256').update(before);
    for await (const chunk of this.#read()) hash.update(chunk);
    return hash.digest('hex');
  }

  /** Removes the temporary copy of standard input. */
  async close(): Promise<void> {
    if (this.folder !== undefined) await rm(this.folder, { recursive: true });
  }

  async *#read(): AsyncGenerator<Buffer> {
    this.position = 0;
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      this.position += chunk.length;
      yield chunk;
    }
  }

  async #begin(): Promise<Buffer> {
    const handle = await open(this.path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP.length)).finally(() => handle.close());
    return buffer.subarray(0, bytesRead);
  }
}
