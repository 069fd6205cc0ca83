import { EventEmitter, once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';

interface Message {
  readonly method?: string;
  /** An array of values sends several headers of the same name. */
  readonly headers?: OutgoingHttpHeaders;
  /** One piece is sent with Content-Length, several are sent chunked, unless the headers say otherwise. */
  readonly body?: readonly (string | Buffer)[];
  /** Whether the client keeps the request open after the last piece. */
  readonly endless?: boolean;
}

/** A received request, and the client that sent it. */
interface Arrival {
  readonly incoming: Request;
  readonly client: ClientRequest;
}

/** A local server of Express that returns received requests and never responds. */
export class Loopback {
  readonly #arrivals = new EventEmitter<{ request: [Request] }>();
  readonly #server = createServer(express().use((arrived) => void this.#arrivals.emit('request', arrived)));

  static async open(): Promise<Loopback> {
    const loopback = new Loopback();
    loopback.#server.listen(0, '127.0.0.1');
    await once(loopback.#server, 'listening');
    return loopback;
  }

  async receive({ method = 'POST', headers = {}, body = [], endless = false }: Message): Promise<Arrival> {
    const arrival = once(this.#arrivals, 'request') as Promise<[Request]>;
    const { port } = this.#server.address() as AddressInfo;
    const client = request({ host: '127.0.0.1', port, method, headers, agent: false });
    client.on('error', () => undefined); // the server closes the connection at the end of the test
    const pieces = [...body];
    const last = endless ? undefined : pieces.pop();
    for (const piece of pieces) client.write(piece);
    if (endless) client.flushHeaders();
    else client.end(last);
    const [incoming] = await arrival;
    return { incoming, client };
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** Destroys the client's connection, and waits until the server has noticed. */
export async function departure(incoming: IncomingMessage, client: ClientRequest): Promise<void> {
  const noticed = new Promise((resolve) => incoming.once('close', resolve));
  incoming.once('error', () => undefined);
  client.destroy();
  await noticed;
}
