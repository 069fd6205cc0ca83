import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { BenchRequest } from './scenarios.js';
import { percentile } from '../figures/statistics.js';
import type { Load, Seen } from './wrk.js';

/** Time resolution of sending and reading; Node's own timers have whole milliseconds only. */
const NAP_MS = 0.1;

export interface PacedLoad extends Omit<Load, 'file'> {
  readonly requests: readonly BenchRequest[];
  readonly rate: number;
  /** Requests without a response this long after the last was due are given up, and counted with the time waited so far. */
  readonly graceMs?: number;
}

/**
 * An open loop: requests are due at a constant rate, whether or not earlier ones have their responses. Latency counts from
 * the due time, even if the request waits for a free connection: a stall of the server affects all requests due meanwhile
 * (counting from the time of sending would be the mistake called coordinated omission).
 */
export async function runAtRate(load: PacedLoad, signal: AbortSignal): Promise<Seen> {
  const { origin, connections, rate, seconds, graceMs = 1_000 } = load;
  const { hostname, port } = new URL(origin);
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  );
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const arrivals = new Arrivals(bytesOf(load), Math.floor(rate * seconds), rate, sockets);
    await arrivals.run(signal, graceMs);
    return arrivals.seen();
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function bytesOf({ origin, key, requests }: PacedLoad): Buffer[] {
  return requests.map(({ method, path, body = '' }) => {
    const about =
      body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nAuthorization: Bearer ${key}\r\n`;
    return Buffer.from(`${head}${about}\r\n${body}`);
  });
}

class Arrivals {
  readonly #latencies: Float64Array;
  readonly #idle: ((request: number) => void)[];
  readonly #nap = new Int32Array(new SharedArrayBuffer(4));
  #begin = 0;
  #come = 0;
  #sent = 0;
  #answered = 0;
  #lastAnswer = 0;
  #bytes = 0;
  #refused = 0;
  #broken = 0;

  constructor(
    private readonly requests: readonly Buffer[],
    private readonly total: number,
    private readonly rate: number,
    sockets: readonly Socket[],
  ) {
    this.#latencies = new Float64Array(total).fill(Number.NaN);
    this.#idle = sockets.map((socket) => this.#serve(socket));
  }

  async run(signal: AbortSignal, graceMs: number): Promise<void> {
    this.#begin = performance.now();
    const end = this.#dueAt(this.total) + graceMs;
    while (this.#answered < this.total && performance.now() < end) {
      signal.throwIfAborted();
      this.#send();
      // Sleeps by blocking the thread; the event loop then reads the responses.
      Atomics.wait(
        this.#nap,
        0,
        0,
        Math.min(NAP_MS, Math.max(0, this.#dueAt(this.#come) - performance.now())),
      );
      await new Promise(setImmediate);
    }
  }

  seen(): Seen {
    const now = performance.now();
    const latencies = this.#latencies.map((latency, i) =>
      Number.isNaN(latency) ? now - this.#dueAt(i) : latency,
    );
    const faults: string[] = [];
    if (this.#refused > 0) faults.push(`${this.#refused} answers that are no 2xx or 3xx`);
    if (this.#broken > 0) faults.push(`${this.#broken} broken connections`);
    if (this.#answered === 0) faults.push('no answers at all');
    return {
      requests: this.#answered,
      requestsPerSecond: this.#answered / ((this.#lastAnswer - this.#begin) / 1000),
      bytesPerAnswer: this.#bytes / this.#answered,
      p50Ms: percentile(latencies, 50),
      p99Ms: percentile(latencies, 99),
      faults,
    };
  }

  #dueAt(request: number): number {
    return this.#begin + (request * 1000) / this.rate;
  }

  /** Sends the due requests in order, each on the connection that has been idle longest. */
  #send(): void {
    const now = performance.now();
    while (this.#come < this.total && this.#dueAt(this.#come) <= now) this.#come++;
    while (this.#sent < this.#come && this.#idle.length > 0) this.#idle.shift()!(this.#sent++);
  }

  /** @returns a function that sends a request over the connection */
  #serve(socket: Socket): (request: number) => void {
    const reader = new AnswerReader();
    let current = 0;
    const send = (request: number) => {
      current = request;
      socket.write(this.requests[request % this.requests.length]!);
    };
    const receive = ({ status, bytes }: Answer) => {
      this.#lastAnswer = performance.now();
      this.#latencies[current] = this.#lastAnswer - this.#dueAt(current);
      this.#answered++;
      this.#bytes += bytes;
      if (status >= 400) this.#refused++;
      this.#idle.push(send);
      this.#send();
    };
    socket.on('data', (chunk) => {
      const answer = reader.push(chunk);
      if (answer === 'unreadable') socket.destroy();
      else if (answer) receive(answer);
    });
    socket.on('error', () => undefined).on('close', () => this.#broken++);
    return send;
  }
}

/** One response of a server; its size includes the headers. */
interface Answer {
  readonly status: number;
  readonly bytes: number;
}

/** Parses responses on a connection with one request at a time, as far as a benchmark needs. */
export class AnswerReader {
  #buffer: Buffer = Buffer.alloc(0);

  /** @returns the response once it is complete; it must have a Content-Length */
  push(chunk: Buffer): Answer | 'unreadable' | undefined {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    const end = this.#buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#buffer.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return 'unreadable';
    const bytes = end + 4 + Number(length);
    if (this.#buffer.length < bytes) return undefined;
    this.#buffer = Buffer.alloc(0);
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), bytes };
  }
}
