import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve, type Served } from '../support/serve.js';

/** A received request. */
export interface Arrival {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How the server handles a request. */
export type Step = (response: ServerResponse, arrival: Arrival) => void;

/** A local server that runs one step per request and repeats the last one. */
export class ScriptedServer {
  readonly arrivals: Arrival[] = [];
  #steps: Step[] = [];
  #served!: Served;

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    server.#served = await serve((request, response) => void server.#take(request, response));
    return server;
  }

  get origin(): string {
    return this.#served.origin;
  }

  does(...steps: Step[]): void {
    this.#steps = steps;
    this.arrivals.length = 0;
  }

  stop(): Promise<void> {
    return this.#served.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const arrival = { method, url, headers, body: await text(request) };
    this.arrivals.push(arrival);
    const step = this.#steps.length > 1 ? this.#steps.shift() : this.#steps[0];
    step?.(response, arrival);
  }
}

/** Responds with JSON; a string is sent as is. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** Responds with an error in the service's format. */
export const refuse = (status: number, code: string, headers?: Record<string, string>): Step =>
  answer(status, { code, message: `This is ${code}.`, status }, headers);

/** Closes the connection without a response. */
export const drop: Step = (response) => response.destroy();

/** Closes the connection in the middle of a successful response. */
export const breakOff: Step = (response) => {
  response.writeHead(200, { 'Content-Length': '1000', Link: '</v1/pets>; rel="first"' });
  response.write('[{"id":1,', () => response.destroy());
};

/** Never responds. */
export const keepSilent: Step = () => undefined;
