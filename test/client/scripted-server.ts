import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What the server does with a request. */
export type Step = (response: ServerResponse, arrival: Arrival) => void;

/** A server on this machine that does one step per request, the last one again and again. */
export class ScriptedServer {
  readonly arrivals: Arrival[] = [];
  #steps: Step[] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  does(...steps: Step[]): void {
    this.#steps = steps;
    this.arrivals.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const arrival = { method, url, headers, body: await text(request) };
    this.arrivals.push(arrival);
    const step = this.#steps.length > 1 ? this.#steps.shift() : this.#steps[0];
    step?.(response, arrival);
  }
}

/** Answers with JSON: text as it stands. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** Answers with an error of the service. */
export const refuse = (status: number, code: string, headers?: Record<string, string>): Step =>
  answer(status, { code, message: `This is ${code}.`, status }, headers);

/** Hangs up without an answer. */
export const drop: Step = (response) => response.destroy();

/** Hangs up in the middle of a good answer. */
export const breakOff: Step = (response) => {
  response.writeHead(200, { 'Content-Length': '1000', Link: '</v1/pets>; rel="first"' });
  response.write('[{"id":1,', () => response.destroy());
};

/** Never answers. */
export const keepSilent: Step = () => undefined;
