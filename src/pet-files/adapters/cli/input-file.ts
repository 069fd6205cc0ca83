import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DomainError } from '../../../kernel/domain-error.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';
import { withTemporaryFile } from '../../../platform/ops/cli/files.js';

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
  ) {}

  /** Reads a file by `use`. What can be read only once, such as a pipe, goes to a temporary file first. @throws NoSuchFile */
  static async read<Result>(
    name: string,
    stdin: NodeJS.ReadableStream,
    use: (input: InputFile) => Promise<Result>,
  ): Promise<Result> {
    // Opened anew, standard input is none if it is a socket.
    const isStdin = name === '-' || name === '/dev/stdin';
    const found = isStdin ? undefined : await stat(name).catch(() => undefined);
    if (found?.isDirectory()) throw new NoSuchFile(`${name} is a folder. Name a file in it.`);
    if (!found && !isStdin) throw new NoSuchFile(`There is no file ${name}.`);
    if (found?.isFile()) return use(new InputFile(basename(name), found.size, name));
    return withTemporaryFile(async (path) => {
      await pipeline(isStdin ? stdin : createReadStream(name), createWriteStream(path));
      return use(new InputFile(basename(name), (await stat(path)).size, path));
    });
  }

  /** @throws InvalidInputFile where compressed data is damaged, or ends before its end */
  async *bytes(): AsyncGenerator<Buffer> {
    const begin = await createReadStream(this.path, { end: GZIP.length - 1 }).toArray();
    if (!Buffer.concat(begin as Buffer[]).equals(GZIP)) return yield* this.#read();
    const inflated = createGunzip();
    // The reader gets the same error.
    pipeline(this.#read(), inflated).catch(() => undefined);
    try {
      yield* inflated as AsyncIterable<Buffer>;
    } catch (error) {
      if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
      throw new InvalidInputFile(`The gzip data of ${this.name} is damaged, or ends before its end.`);
    }
  }

  /** SHA-256 of `before` and the content of the file, in hex. */
  async hash(before: string): Promise<string> {
    const hash = createHash('sha256').update(before);
    for await (const chunk of this.#read()) hash.update(chunk);
    return hash.digest('hex');
  }

  async *#read(): AsyncGenerator<Buffer> {
    this.position = 0;
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      this.position += chunk.length;
      yield chunk;
    }
  }
}
