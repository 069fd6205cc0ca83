import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';

/** Another client than the one that tests use by default. Linux treats all of 127.0.0.0/8 as local. */
export const STRANGER = '127.0.0.2';

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Sent {
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The address of the client. */
  readonly from?: string;
}

/** Sends a request to the proxy on a new connection. */
export async function send(port: number, { path = '/', headers = {}, from }: Sent): Promise<Received> {
  const localAddress = from ?? '127.0.0.1';
  const sent = request({ host: '127.0.0.1', port, path, localAddress, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, body: await text(response) };
}

/** More than each limit of the proxy in these tests. */
const TOO_MANY = 1_000;

/** Sends requests, one after another, until the proxy rejects one. @returns how many passed, and the rejection */
export async function sendUntilRefused(port: number, requestOf: (i: number) => Sent) {
  for (let passed = 0; passed < TOO_MANY; passed++) {
    const refusal = await send(port, requestOf(passed));
    if (refusal.status === 429) return { passed, refusal };
  }
  throw new Error(`The proxy passed on ${TOO_MANY} requests.`);
}

/** What the proxy responds to a source that exceeds a limit. */
export const REFUSED = {
  status: 429,
  headers: { 'retry-after': '10', 'content-type': 'application/json; charset=utf-8' },
  body: expect.stringMatching(/^\{"code":"too_many_requests","message":".+","status":429\}$/) as string,
};
