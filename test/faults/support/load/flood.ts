import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from './caller.js';
import { Tally } from './tally.js';

const TICK = 2;
/** In ms: connections that have been idle for longer are not used, because the service is about to close them. */
const IDLE = 4_000;
const END_OF_HEAD = '\r\n\r\n';

/**
 * Sends requests as ready-made bytes over raw sockets, one at a time on each, and parses no more of the responses than it must:
 * it shares the machine with what it measures, and Node's HTTP client would cost more than the service.
 */
export class Flood {
  /** Least recently used first, so that none stays idle for long. */
  readonly #free: Line[] = [];
  readonly #lines = new Set<Line>();
  unsent = 0;
  /** Number of requests sent a second time, because their connection ended before a byte of the response came. */
  sentAgain = 0;

  /**
   * `next` makes the bytes of the next request, which may be sent again; a request is not sent if none of `maxLines` connections
   * is free.
   */
  constructor(
    private readonly port: number,
    private readonly next: () => string,
    private readonly maxLines = 1_000,
  ) {}

  /** Opens all connections, one after the other: the handshakes of many at once would wait for each other. */
  async connect(): Promise<void> {
    while (this.#lines.size < this.maxLines) {
      const line = new Line(this.port);
      this.#lines.add(line);
      await line.connected;
      this.#free.push(line);
    }
  }

  /** Closed loop: for `duration` ms, `clients` clients that each wait for a response before the next request. */
  async closed(clients: number, duration: number): Promise<Tally> {
    const tally = new Tally();
    const until = performance.now() + duration;
    const client = async () => {
      while (performance.now() < until) await tally.of(this.#ask());
    };
    await Promise.all(Array.from({ length: clients }, client));
    return tally;
  }

  /** Open loop: for `duration` ms, `rate` requests per second, whatever their outcome. @returns when all have responses */
  async open(rate: number, duration: number): Promise<Tally> {
    const tally = new Tally();
    const answers: Promise<unknown>[] = [];
    let unsent = 0;
    const begin = performance.now();
    for (let now = begin; now < begin + duration; now = performance.now()) {
      const due = Math.floor(((now - begin) / 1_000) * rate);
      while (answers.length + unsent < due) {
        if (this.#free.length > 0 || this.#lines.size < this.maxLines) answers.push(tally.of(this.#ask()));
        else unsent += 1;
      }
      await sleep(TICK);
    }
    this.unsent += unsent;
    await Promise.all(answers);
    return tally;
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }

  /** The service may close a connection while a request is in flight: such a request is retried (RFC 9112 section 9.3.1). */
  async #ask(): Promise<Reply> {
    const request = this.next();
    const used = this.#takeFree();
    if (used) {
      const reply = await this.#send(request, used).catch((error: unknown) => {
        if (used.hasAnswered) throw error;
      });
      if (reply) return reply;
      this.sentAgain += 1;
    }
    return this.#send(request, new Line(this.port));
  }

  #takeFree(): Line | undefined {
    let line = this.#free.shift();
    while (line && !line.isUsable) {
      line.close();
      this.#lines.delete(line);
      line = this.#free.shift();
    }
    return line;
  }

  async #send(request: string, line: Line): Promise<Reply> {
    this.#lines.add(line);
    try {
      return await line.ask(request);
    } finally {
      if (line.isOpen) this.#free.push(line);
      else this.#lines.delete(line);
    }
  }
}

/** A connection with at most one request in flight. */
class Line {
  readonly #socket: Socket;
  #answer = '';
  #settle: ((error?: Error) => void) | undefined;
  #usedAt = performance.now();
  isOpen = true;
  readonly connected: Promise<unknown>;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    this.connected = once(this.#socket, 'connect').catch(() => undefined);
    this.#socket.on('data', (text: string) => {
      this.#answer += text;
      if (isWhole(this.#answer)) this.#settle?.();
    });
    this.#socket.on('error', (error) => this.#settle?.(error));
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#settle?.(new Error('closed'));
    });
  }

  get isUsable(): boolean {
    return this.isOpen && performance.now() - this.#usedAt < IDLE;
  }

  /** Whether any byte of the latest response has arrived. */
  get hasAnswered(): boolean {
    return this.#answer !== '';
  }

  ask(request: string): Promise<Reply> {
    const begun = performance.now();
    this.#answer = '';
    this.#socket.write(request);
    return new Promise((resolve, reject) => {
      this.#settle = (error) => {
        this.#settle = undefined;
        if (error) return reject(error);
        this.#usedAt = performance.now();
        const text = this.#answer;
        if (/\r\nconnection: close\r\n/i.test(text)) this.isOpen = false;
        const retryAfter = /\r\nretry-after: (\d+)/i.exec(text)?.[1];
        const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
        resolve({ status: Number(text.slice(9, 12)), headers, text, took: performance.now() - begun });
      };
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf(END_OF_HEAD);
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  return answer.length >= end + END_OF_HEAD.length + Number(length ?? 0);
}
