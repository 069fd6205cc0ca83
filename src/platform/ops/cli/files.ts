import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from 'node:fs';
import { mkdtemp, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../../kernel/domain-error.js';
import type { CommandContext } from './command-context.js';
import { printableLines } from './output.js';

/** A command cannot write where it is told to. */
export class NoDestination extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'no_destination';
}

/** Opened anew, it would begin at the start of a file that it is redirected to, and cannot be opened at all if it is a socket. */
export const isStandardOutput = (name: string): boolean => name === '-' || name === '/dev/stdout';

/** Prints what a command has to say after it wrote to `name`: on standard error, if that was standard output. */
export function printOf(name = '', { print, terminal }: CommandContext): CommandContext['print'] {
  if (!isStandardOutput(name)) return print;
  return (text) => void terminal.stderr.write(`${printableLines(text)}\n`);
}

/**
 * Writes to where `name` leads. A file is replaced in one step that survives a crash: readers find either all of it or its previous
 * content; it keeps its mode, and links to it. Standard output, a device or a FIFO is written in place. @throws NoDestination
 */
export async function writeTo(
  name: string,
  stdout: NodeJS.WritableStream,
  content: AsyncIterable<string | Buffer>,
): Promise<void> {
  const file = await fileOf(name);
  if (file) return replace(file, (unfinished) => pipeline(content, createWriteStream(unfinished)));
  const [out, end] = isStandardOutput(name) ? [stdout, false] : [createWriteStream(name), true];
  await pipeline(content, out, { end }).catch((error: NodeJS.ErrnoException) => {
    // A reader that stops early, such as `head`, is not a failure.
    if (error.code !== 'EPIPE') throw error;
  });
}

/** As `writeTo`, for content that only a file can take: where `name` is none, the content goes to a temporary one first. */
export async function writeFileTo(
  name: string,
  stdout: NodeJS.WritableStream,
  write: (path: string) => Promise<unknown>,
): Promise<void> {
  const file = await fileOf(name);
  if (file) return replace(file, write);
  await withTemporaryFile(async (path) => {
    await write(path);
    await writeTo(name, stdout, createReadStream(path));
  });
}

/** Opens `name` for text of which each piece has reached the operating system when it is written. @throws NoDestination */
export async function openFor(
  mode: 'append' | 'replace',
  name: string,
  stdout: NodeJS.WritableStream,
): Promise<{ write(text: string): void; close(): void }> {
  if (isStandardOutput(name)) return { write: (text) => void stdout.write(text), close: () => {} };
  const { path } = (await fileOf(name)) ?? { path: name };
  const opened = openSync(path, mode === 'append' ? 'a' : 'w');
  return { write: (text) => void writeSync(opened, text), close: () => closeSync(opened) };
}

/** Runs `use` with the path of a file that no other user can read and that is removed afterwards. */
export async function withTemporaryFile<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  return use(join(folder, 'file')).finally(() => rm(folder, { recursive: true }));
}

/** A regular file, or the place for one. */
interface Destination {
  readonly path: string;
  /** Absent if there is no file yet. */
  readonly mode?: number;
}

/** The file that `name` leads to; undefined if it leads to something else that can be written. @throws NoDestination */
async function fileOf(name: string): Promise<Destination | undefined> {
  if (isStandardOutput(name)) return undefined;
  const found = await stat(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  });
  if (found?.isDirectory() || name.endsWith('/'))
    throw new NoDestination(`${name} is a folder. Name a file in it.`);
  if (found && !found.isFile()) return undefined;
  return { path: await followed(name), mode: found?.mode };
}

/** Where symbolic links lead, also if nothing is there yet. */
async function followed(path: string): Promise<string> {
  // With a slash it must be a folder.
  const folder = await realpath(`${dirname(path)}/`).catch(() => {
    throw new NoDestination(`There is no folder ${dirname(path)}. Make it, or name a file in another one.`);
  });
  const file = join(folder, basename(path));
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : followed(resolve(folder, link));
}

async function replace(
  { path, mode }: Destination,
  write: (path: string) => Promise<unknown>,
): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    // Before there is anything to read in it.
    if (mode !== undefined) await writeFile(unfinished, '', { mode: 0o600 });
    await write(unfinished);
    await sync(unfinished, mode);
    await rename(unfinished, path);
    await sync(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Flushes a file, or a folder's list of files, to the disk. */
async function sync(path: string, mode?: number): Promise<void> {
  const handle = await open(path, 'r');
  try {
    if (mode !== undefined) await handle.chmod(mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
