import { connect, type Socket } from 'node:net';

/** Linux treats all of 127.0.0.0/8 as local, so the guessers can have their own address. */
const THEIR_ADDRESS = '127.0.0.2';
/** In ms: the time between two groups of guesses. */
const TICK = 25;

let guesses = 0;
/** A request with another key each time, in the form of a valid key. */
const guess = () =>
  `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a-guess-that-nobody-made-before-${(guesses += 1)}\r\n\r\n`;

/**
 * Clients without a key, which make `rate` guesses per second until `end` is called, without waiting for responses: pipelined on
 * `connections` connections, or each on one of its own, which is closed after 100 ms of inactivity.
 */
export class Guessers {
  readonly #open: Socket[] = [];
  readonly #timer: NodeJS.Timeout;
  #sent = 0;
  answered = 0;
  /** The number of responses for which the key was checked; the other responses were 429 or 503. */
  judged = 0;

  constructor(
    private readonly port: number,
    rate: number,
    private readonly connections: number | undefined,
  ) {
    const begin = performance.now();
    this.#timer = setInterval(() => {
      while (this.#sent < ((performance.now() - begin) / 1_000) * rate) this.#guess();
    }, TICK);
  }

  end(): void {
    clearInterval(this.#timer);
    for (const socket of this.#open) socket.destroy();
  }

  #guess(): void {
    const i = this.connections === undefined ? this.#sent : this.#sent % this.connections;
    this.#sent += 1;
    if (!this.#open[i]?.writable) this.#open[i] = this.#connect();
    this.#open[i]!.write(guess());
  }

  #connect(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', localAddress: THEIR_ADDRESS });
    if (this.connections === undefined) socket.setTimeout(100, () => socket.destroy());
    socket.setEncoding('latin1').on('error', () => undefined);
    return socket.on('data', (text: string) => {
      this.answered += text.match(/HTTP\/1.1 /g)?.length ?? 0;
      this.judged += text.match(/HTTP\/1.1 401 /g)?.length ?? 0;
    });
  }
}
