import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

/** Response, recursion desired and available (RFC 1035 section 4.1.1). */
const FLAGS = 0x81_80;
const HEADER = 12;
const TYPE_A = 1;

/** A name server, for which every name has the same IPv4 addresses. They can change. */
export class NameServer {
  readonly #socket = createSocket('udp4').on('message', (query, from) => this.#answer(query, from));

  private constructor(public addresses: readonly string[]) {}

  static async start(...addresses: string[]): Promise<NameServer> {
    const server = new NameServer(addresses);
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  stop(): void {
    this.#socket.close();
  }

  #answer(query: Buffer, { port, address }: RemoteInfo): void {
    const endOfName = query.indexOf(0, HEADER) + 1;
    const question = query.subarray(HEADER, endOfName + 4);
    const isAsked = query.readUInt16BE(endOfName) === TYPE_A;
    const answers = (isAsked ? this.addresses : []).map((one) => {
      // The name of the question, type A, class IN, 1 s, 4 bytes.
      return Buffer.from([0xc0, HEADER, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4, ...one.split('.').map(Number)]);
    });
    const header = Buffer.alloc(HEADER);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(FLAGS, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    this.#socket.send(Buffer.concat([header, question, ...answers]), port, address);
  }
}
