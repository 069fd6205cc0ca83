import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event of a pet, as modules of tests send it. */
export interface Received {
  readonly id: string;
  readonly attempt: number;
  readonly petId: number;
  readonly event: string;
}

/** Another system, which gets events of pets by HTTP. */
export class Receiver {
  readonly received: Received[] = [];
  /** The same requests, with their headers, and their bodies as they were sent. */
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  /** What it does with a request. */
  answer: (received: Received, response: ServerResponse) => unknown = accept;
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.again();
    return receiver;
  }

  /** Listens again, on the same port. */
  async again(): Promise<void> {
    this.#server = createServer((request, response) => void this.#receive(request, response));
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** The events of a pet, in the order of their arrival. */
  of(petId: number): string[] {
    return this.received.flatMap((one) => (one.petId === petId ? one.event : []));
  }

  /** Closes all connections, also those that wait for a response. */
  async stop(): Promise<void> {
    const closed = once(this.#server!.close(), 'close');
    this.#server!.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    const received = JSON.parse(body) as Received;
    this.received.push(received);
    this.requests.push({ headers: request.headers, body });
    this.answer(received, response);
  }
}

export const accept = (_: Received, response: ServerResponse): unknown => response.writeHead(204).end();
