import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How many bytes are handed to the system at a time. */
const BLOCK = 64 * 1024;

/** A connection without a key that sends one request again and again, and waits for no response. */
export class Pipeline {
  /** The number of responses that have arrived. */
  answered = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined);
  }

  /** `first` is sent before the requests. If `reads` is false, all responses stay in the buffers of the system. */
  static async open(
    port: number,
    request: string,
    { times = Number.POSITIVE_INFINITY, first = '', reads = true } = {},
  ): Promise<Pipeline> {
    const socket = connect(port, '127.0.0.1');
    const pipeline = new Pipeline(socket);
    if (reads)
      socket
        .setEncoding('latin1')
        .on('data', (text: string) => (pipeline.answered += text.split('HTTP/1.1 ').length - 1));
    await once(socket, 'connect');
    if (first) socket.write(first);
    void pipeline.#send(request, times);
    return pipeline;
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** Whether a response has begun to arrive. Node reports the first bytes also to a client that does not read. */
  get hasReceived(): boolean {
    return this.socket.bytesRead > 0;
  }

  destroy(): void {
    this.socket.destroy();
  }

  async #send(request: string, times: number): Promise<void> {
    const most = Math.floor(BLOCK / request.length);
    const block = request.repeat(most);
    for (let left = times; left > 0 && this.isOpen; left -= most) {
      const text = left < most ? request.repeat(left) : block;
      if (!this.socket.write(text))
        await Promise.race([once(this.socket, 'drain'), once(this.socket, 'close')]);
    }
  }
}
