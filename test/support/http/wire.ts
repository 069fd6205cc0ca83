import { connect, type Socket } from 'node:net';
import { eventually } from '../eventually.js';

/** A TCP connection: a test sends bytes, and reads the received ones. */
export class Wire {
  received = '';
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (this.received += text));
    // A service may reset connections; that counts as a close.
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  /** @throws Error if nothing listens on the port */
  static to(port: number, { allowHalfOpen = false, from = '127.0.0.1' } = {}): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Wire(socket)));
    });
  }

  /** Lines may end with `\n` alone. */
  send(text: string): void {
    this.socket.write(text.replaceAll(/\r?\n/g, '\r\n'));
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Closes as a client does that has crashed: with a reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  hangUp(): void {
    this.socket.destroy();
  }

  /** The response with this number, counted from 1, once it is complete. */
  async answer(number = 1): Promise<string> {
    await eventually(() => Promise.resolve(wholeAnswers(this.received).length >= number));
    return wholeAnswers(this.received)[number - 1]!;
  }

  async closed(): Promise<string> {
    await eventually(() => Promise.resolve(this.isClosed));
    return this.received;
  }
}

function wholeAnswers(text: string): string[] {
  const answers: string[] = [];
  for (let rest = text; ;) {
    const head = rest.indexOf('\r\n\r\n') + 4;
    const length = /^[^]*?content-length: (\d+)/i.exec(rest.slice(0, head))?.[1] ?? '0';
    const end = head + Number(length);
    if (head < 4 || rest.length < end) return answers;
    answers.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
}
