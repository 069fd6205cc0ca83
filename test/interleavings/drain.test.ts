import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect } from 'vitest';
import { drain as module } from '../support/rooms/http.js';
import { inAnyOrder } from './orders.js';

/** How many requests arrive on each connection, some at once, before and after the drain begins. */
const plan = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });

inAnyOrder('a draining server responds on each connection in order, and closes it after the last response', {
  module,
  plan,
  async story({ DrainableServer }, plan, order) {
    let isDraining = false;
    const cameInTime = new Set<string>();
    /** The order of the responses on each connection, and which of them are sent while the server drains. */
    const answered = plan.map((): number[] => []);
    const atWork = plan.map(() => 0);
    const mostAtWork = plan.map(() => 0);
    const answeredLate = new Set<string>();
    const server = new DrainableServer({}, (request, response) => {
      const name = request.url!.slice(1);
      const [connection, place] = name.split('/').map(Number) as [number, number];
      atWork[connection]! += 1;
      mostAtWork[connection] = Math.max(mostAtWork[connection]!, atWork[connection]!);
      void order.event(`${name} is answered`).then(() => {
        atWork[connection]! -= 1;
        answered[connection]!.push(place);
        if (isDraining) answeredLate.add(name);
        response.end(`<${name}>`);
      });
    });
    server.prependListener('request', ({ url }) => {
      const name = url!.slice(1);
      const [connection, place] = name.split('/').map(Number) as [number, number];
      // While the server drains, a request counts only behind a request that arrived in time and still waits for its response.
      const isBehind = cameInTime.has(`${connection}/${place - 1}`) && place > answered[connection]!.length;
      if (!isDraining || isBehind) cameInTime.add(name);
    });
    // Node keeps track of the connections of a listening server. Without sockets, everything happens in order.
    server.emit('listening');
    const clients = plan.map((requests, number) => {
      const [here, there] = duplexPair();
      // Members that only a socket has.
      server.emit('connection', Object.assign(there, { setTimeout: () => there }) as unknown as Socket);
      const client = { received: '', connection: there };
      here.setEncoding('latin1').on('data', (text: string) => (client.received += text));
      const send = async () => {
        for (let i = 0; i < requests; i++) {
          await order.event(`${number}/${i} is sent`);
          if (!there.destroyed) here.write(`GET /${number}/${i} HTTP/1.1\r\nHost: here\r\n\r\n`);
        }
      };
      void send();
      return client;
    });
    void order.event('the drain begins').then(() => {
      isDraining = true;
      return server.drain(0);
    });
    await order.play();
    // The server does this every 50 ms; without a socket nothing waits for the connections.
    server.closeIdleConnections();
    await order.play();

    const received = clients.map(({ received: text }) => text).join();
    for (const name of cameInTime) expect(received).toContain(`<${name}>`);
    clients.forEach(({ received: text, connection }, number) => {
      // Node ends a stream that is not a socket without destroying it.
      expect(connection.destroyed || connection.writableEnded).toBe(true);
      const answers = text.split('HTTP/1.1 ').slice(1);
      expect(answers.map((answer) => /<(.*)>$/.exec(answer)?.[1])).toEqual(
        answers.map((_, i) => `${number}/${i}`),
      );
      const closing = answers.findIndex((answer) => answer.includes('Connection: close'));
      if (closing >= 0) expect(closing).toBe(answers.length - 1);
      expect(answered[number]).toEqual(answers.map((_, i) => i));
      expect(mostAtWork[number]).toBeLessThanOrEqual(1);
      const isLate = answeredLate.has(`${number}/${answers.length - 1}`);
      if (isLate) expect(closing).toBe(answers.length - 1);
    });
  },
  faults: {
    'only the last response of a draining server closes the connection': '',
    'the last response of a draining server closes the connection': '',
    'one request of a connection is at work at a time': 'this.begin(response.req, response);',
    'all requests of a connection get their turn':
      'if (owed.length > 2) this.#beginNextAfter(owed[0]!, socket, owed);\nelse socket.resume();',
  },
});
