import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { channel } from '../channel.js';

/** How many bytes may wait to be written. */
const MAX_WAITING = 4 * 1024 * 1024;
/** How long after a failure the next write is tried. */
const RETRY_AFTER_MS = 100;
/** How long the process waits at its end for a reader. */
const FLUSH_TIMEOUT_MS = 200;

const NOT_READ = 'nobody reads it';

/** A text was dropped, because its output was full, closed or not read. */
export const outputDropped = channel<void>('log.dropped');

/**
 * Writes texts to a descriptor of the process. It neither blocks nor fails, whatever the descriptor is. A text that cannot be
 * written and does not fit into the buffer is dropped and counted.
 */
export class Output {
  readonly isTTY: boolean;
  #stream: Writable | undefined;
  #dropped = 0;
  #retryAt = 0;
  #reason = NOT_READ;

  /**
   * `onFlow` is called when texts are written again after some were dropped. Only terminals are written by Node's stream, because
   * it blocks on pipes. The stream is also passed for other outputs: Node creates it when it is first read, and that may change
   * the descriptor, so it must happen before this class writes.
   */
  constructor(
    private readonly stream: NodeJS.WriteStream & { readonly fd: number },
    private readonly onFlow: (dropped: number, reason: string) => void = () => {},
  ) {
    this.isTTY = stream.isTTY;
    stream.on('error', this.isTTY ? this.#failed : () => {});
  }

  write(text: string): void {
    const stream = this.#open();
    if (!stream) this.#drop(this.#reason);
    else if (stream.writableLength > MAX_WAITING) this.#drop(NOT_READ);
    else stream.write(text, this.#written);
  }

  /** Waits until everything is written, but only for a short time. Call it before the process ends. */
  async flushed(): Promise<void> {
    const stream = this.#stream;
    if (!stream?.writableLength) return;
    await Promise.race([new Promise((resolve) => stream.write('', resolve)), sleep(FLUSH_TIMEOUT_MS)]);
  }

  #open(): Writable | undefined {
    if (this.#stream || performance.now() < this.#retryAt) return this.#stream;
    const stream = this.isTTY ? this.stream : streamTo(this.stream.fd);
    if (!this.isTTY) stream.on('error', this.#failed);
    // The failed text may have been written in part, so the next text begins on a new line.
    if (this.#retryAt > 0) stream.write('\n');
    return (this.#stream = stream);
  }

  readonly #failed = (): void => {
    this.#stream = undefined;
    this.#retryAt = performance.now() + RETRY_AFTER_MS;
  };

  readonly #written = (error?: NodeJS.ErrnoException | null): void => {
    if (error) this.#drop(error.code ?? error.message);
    else if (this.#dropped > 0) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.onFlow(dropped, this.#reason);
    }
  };

  #drop(reason: string): void {
    this.#dropped += 1;
    this.#reason = reason;
    outputDropped.publish();
  }
}

/**
 * Opens a stream that never closes the descriptor. Threads of Node write a file. They must not write a pipe, because a process
 * whose thread waits for a reader never ends.
 */
function streamTo(fd: number): Writable {
  const kind = fstatSync(fd);
  if (kind.isFIFO() || kind.isSocket()) return new Socket({ fd, readable: false, writable: true });
  return createWriteStream('', { fd, autoClose: false });
}
