import { connect, type Socket } from 'node:net';

/** Linux treats all of 127.0.0.0/8 as local, so the guessers can have their own address. */
const THEIR_ADDRESS = '127.0.0.2';
/** In ms: the timer, and the pause before a reconnect. The service closes idle connections; pipelining clients reopen them. */
const TICK = 25;

let guesses = 0;
/** A request with another key each time, which could be a valid one. */
const guess = () =>
  `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a-guess-that-nobody-made-before-${(guesses += 1)}\r\n\r\n`;

/** Clients without a key, which try made-up keys until `end` is called. */
export class Guessers {
  readonly #sockets = new Set<Socket>();
  readonly #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  sent = 0;
  answered = 0;
  /** Of the answered ones, those whose key was checked: the others were 429 or 503. */
  judged = 0;

  /** `act` is called `rate` times a second, or once if there is no rate. */
  private constructor(
    private readonly port: number,
    act: (guessers: Guessers) => void,
    rate = 0,
  ) {
    if (rate === 0) act(this);
    const begin = performance.now();
    let acts = 0;
    const tick = () => {
      for (; acts < ((performance.now() - begin) / 1_000) * rate; acts++) act(this);
    };
    if (rate > 0) this.#timer = setInterval(tick, TICK);
  }

  /** `rate` guesses per second over `connections` connections, without waiting for responses. */
  static pipelining(port: number, connections: number, rate: number): Guessers {
    const open: Socket[] = [];
    let next = 0;
    return new Guessers(
      port,
      (guessers) => {
        const i = (next += 1) % connections;
        if (!open[i]?.writable) open[i] = guessers.#open();
        guessers.#guess(open[i]);
      },
      rate,
    );
  }

  /** `rate` connections per second, each of which sends one guess and is closed after 100 ms of inactivity. */
  static impatient(port: number, rate: number): Guessers {
    const act = (guessers: Guessers) => {
      const socket = guessers.#open();
      guessers.#guess(socket);
      socket.setTimeout(100, () => socket.destroy());
    };
    return new Guessers(port, act, rate);
  }

  /** `connections` connections, on each of which the next guess follows the response to the previous one. */
  static patient(port: number, connections: number): Guessers {
    return new Guessers(port, (guessers) => {
      for (let i = 0; i < connections; i++) guessers.#ask();
    });
  }

  end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #ask(): void {
    const socket = this.#open();
    this.#guess(socket);
    socket.on('data', () => this.#guess(socket));
    socket.on('close', () => this.#isOver || setTimeout(() => this.#isOver || this.#ask(), TICK));
  }

  #guess(socket: Socket): void {
    this.sent += 1;
    socket.write(guess());
  }

  #open(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', localAddress: THEIR_ADDRESS });
    this.#sockets.add(socket);
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.on('data', (text: string) => {
      this.answered += text.match(/HTTP\/1.1 /g)?.length ?? 0;
      this.judged += text.match(/HTTP\/1.1 401 /g)?.length ?? 0;
    });
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
