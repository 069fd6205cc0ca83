import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { IDLE } from '../load/caller.js';

const EVERY = 50;

interface Backend {
  readonly origin: string;
  readonly agent: Agent;
  ready: boolean;
}

/**
 * A reverse proxy in front of replicas: polls /readyz of each, forwards requests round-robin to those that are ready, and never
 * retries a request. Only if the connection is refused, so that no byte was sent, it takes the next replica.
 */
export class Balancer {
  readonly #server: Server;
  readonly #backends: Backend[];
  readonly #watch: NodeJS.Timeout;
  #turn = 0;

  private constructor(origins: readonly string[]) {
    this.#backends = origins.map((origin) => ({
      origin,
      agent: new Agent({ keepAlive: true, timeout: IDLE }),
      ready: false,
    }));
    this.#server = createServer((incoming, outgoing) => this.#carry(incoming, outgoing));
    this.#watch = setInterval(() => this.#backends.forEach((backend) => this.#look(backend)), EVERY);
  }

  static async before(origins: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(origins);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    while (!balancer.#backends.every(({ ready }) => ready)) await once(balancer.#server, 'looked');
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Whether a replica gets requests. */
  serves(origin: string): boolean {
    return this.#backends.some((backend) => backend.origin === origin && backend.ready);
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#server.close();
    this.#server.closeAllConnections();
    for (const { agent } of this.#backends) agent.destroy();
    await once(this.#server, 'close');
  }

  #look(backend: Backend): void {
    const verdict = (ready: boolean) => {
      // Idle connections to a replica that stops are closed as useless; those in use are left open.
      if (backend.ready && !ready)
        Object.values(backend.agent.freeSockets)
          .flat()
          .forEach((s) => s?.destroy());
      backend.ready = ready;
      this.#server.emit('looked');
    };
    const asked = request(`${backend.origin}/readyz`, { agent: false, timeout: 1_000 }, (response) => {
      verdict(response.statusCode === 200);
      response.resume();
    });
    asked.on('timeout', () => asked.destroy()).on('error', () => verdict(false));
    asked.end();
  }

  #carry(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const ready = this.#backends.filter((backend) => backend.ready);
      this.#turn += 1;
      const candidates = ready.map((_, i) => ready[(i + this.#turn) % ready.length]!);
      this.#pass(incoming, Buffer.concat(chunks), outgoing, candidates);
    });
  }

  #pass(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, [next, ...rest]: Backend[]): void {
    if (!next) {
      outgoing.writeHead(502).end('no replica is ready');
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const { connection: _, ...passed } = headers;
    const sent = request(next.origin + url, { method, headers: passed, agent: next.agent }, (response) => {
      const { connection: __, 'keep-alive': ___, ...answered } = response.headers;
      outgoing.writeHead(response.statusCode!, answered);
      response.pipe(outgoing);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') this.#pass(incoming, body, outgoing, rest);
      else if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(String(error.code));
    });
    sent.end(body);
  }
}
