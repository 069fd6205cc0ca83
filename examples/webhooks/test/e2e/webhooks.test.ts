import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outbox } from '../../src/platform/events/index.js';
import { onEveryEngine, sqlite } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { accept, Receiver } from '../support/http/receiver.js';
import { type Service, startService } from '../support/service.js';
import { Recorder } from '../support/site/recorder.js';
import { petSold } from '../../src/webhooks/domain/webhook.js';
import { WebhookSender } from '../../src/webhooks/ports/webhook-sender.js';

const INTERNAL = { WEBHOOKS_ALLOW_INTERNAL: 'true' };
const RECEIVERS = '/v1/webhooks/receivers';
/** How long a webhook waits after its first try has failed, in ms. */
const RETRY_DELAY = 1_000;

/** The subscribers of the module. */
const SUBSCRIBERS = ['webhooks', 'webhook-sending'];

/** A receiver that is registered. */
interface Registered {
  readonly id: number;
  readonly secret: string;
}

type Request = Receiver['requests'][number];

/** The webhook in a request, after its signature was verified as Standard Webhooks 1.0.0 describes. */
function verified({ headers, body }: Request, secret: string) {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  expect(key).toHaveLength(32);
  const right = createHmac('sha256', key).update(`${id as string}.${seconds as string}.${body}`);
  expect(signature).toBe(`v1,${right.digest('base64')}`);
  return { id, seconds: Number(seconds), ...(JSON.parse(body) as { data: { petId: number } }) };
}

/** Sells a pet. @returns its id */
async function sell({ client }: Service): Promise<number> {
  const pet = (await client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).json as { id: number };
  const order = (await client.post('/v1/store/orders', { petId: pet.id })).json as { id: number };
  const moved = await client.patch(`/v1/store/orders/${order.id}`, { status: 'delivered' });
  expect(moved.status).toBe(200);
  return pet.id;
}

/** What waits for the subscribers of the module. */
async function backlog({ app }: Service) {
  const all = await app.get(Outbox).backlog();
  return all.filter(({ subscriber }) => SUBSCRIBERS.includes(subscriber));
}

const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

describe('webhooks about sold pets', () =>
  onEveryEngine((engine) => {
    const log = new Recorder();
    let service: Service;
    let [one, other]: Receiver[] = [];
    const start = (options: Parameters<typeof startService>[1] = {}) =>
      startService(engine, { environment: INTERNAL, ...options });
    beforeAll(async () => {
      service = await start({ log, environment: { ...INTERNAL, LOG_LEVEL: 'trace' } });
    });
    afterAll(() => service.stop());
    beforeEach(async () => {
      [one, other] = [await Receiver.start(), await Receiver.start()];
    });
    afterEach(async () => {
      const { json } = await service.client.get(RECEIVERS);
      for (const { id } of json as unknown as Registered[])
        await service.client.send('DELETE', `${RECEIVERS}/${id}`);
      await eventually(async () => {
        service.clock.advance(RETRY_DELAY);
        await isEmpty();
      });
      for (const receiver of [one!, other!]) await receiver.stop();
    });

    const register = async ({ url }: Pick<Receiver, 'url'>, { client } = service) => {
      const { status, json, text } = await client.post(RECEIVERS, { url });
      expect(status, text).toBe(201);
      return json as unknown as Registered;
    };
    const petsOf = ({ requests }: Receiver, { secret }: Registered) =>
      requests.map((request) => verified(request, secret).data.petId);
    const isEmpty = async () => expect(await backlog(service)).toEqual([]);
    const problem = async (of = service) => {
      await eventually(async () => expect((await backlog(of))[0]?.problem).toEqual(expect.any(String)));
      return (await backlog(of))[0]!.problem;
    };

    it('sends each receiver a webhook that has the right signature', async () => {
      const [first, second] = [await register(one!), await register(other!)];
      const petId = await sell(service);
      await eventually(isEmpty);
      const seconds = Math.floor(service.clock.now() / 1_000);
      const timestamp = new Date(service.clock.now()).toISOString();
      const webhook = { seconds, type: 'pet.sold', timestamp, data: { petId } };
      expect(one!.requests.map((request) => verified(request, first.secret))).toMatchObject([webhook]);
      expect(other!.requests.map((request) => verified(request, second.secret))).toMatchObject([webhook]);
      expect(first.secret).not.toBe(second.secret);
    });

    it('sends nothing when a pet becomes pending, or after the receiver was removed', async () => {
      const { id } = await register(one!);
      const { json } = await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      await service.client.post('/v1/store/orders', { petId: (json as { id: number }).id });
      await eventually(isEmpty);
      await one!.stop();
      await sell(service);
      expect(await problem()).toBe('the receiver did not respond: ECONNREFUSED');
      await one!.again();
      expect((await service.client.send('DELETE', `${RECEIVERS}/${id}`)).status).toBe(204);
      service.clock.advance(RETRY_DELAY);
      await eventually(isEmpty);
      expect(one!.requests).toEqual([]);
    });

    it('never logs a secret', async () => {
      one!.answer = (_, response) => response.writeHead(500).end();
      const { secret } = await register(one!);
      await sell(service);
      expect(await problem()).toBe('the receiver responded with 500');
      await log.wrote(/"webhook-sending\\" failed on WebhookDue of webhook\/\d+.*responded with 500/);
      expect(log.text).not.toContain('whsec_');
      expect(log.text).not.toContain(secret.slice('whsec_'.length));
    });

    it('rejects a URL with a user even if it allows addresses that are not public', async () => {
      const { status, json } = await service.client.post(RECEIVERS, { url: 'http://user@127.0.0.1/' });
      expect([status, json]).toMatchObject([400, { details: [{ field: '/url', code: 'invalid_format' }] }]);
    });

    it('repeats a webhook with the same id and the same body, and a new signature', async () => {
      one!.answer = (_, response) => response.writeHead(500).end();
      const { secret } = await register(one!);
      await sell(service);
      expect(await problem()).toBe('the receiver responded with 500');
      one!.answer = accept;
      service.clock.advance(RETRY_DELAY);
      await eventually(isEmpty);
      expect(one!.requests).toHaveLength(2);
      const [first, second] = one!.requests as [Request, Request];
      expect(second.body).toBe(first.body);
      const [before, after] = [verified(first, secret), verified(second, secret)];
      expect(after.id).toBe(before.id);
      expect(after.seconds).toBeGreaterThan(before.seconds);
    });

    it('delays no receiver while another one is dead, which gets all its webhooks in order when it is back', async () => {
      const [dead, alive] = [await register(one!), await register(other!)];
      await one!.stop();
      const pets = [await sell(service), await sell(service), await sell(service)];
      await eventually(async () => expect(other!.requests).toHaveLength(3));
      expect(ascending(petsOf(other!, alive))).toEqual(pets);
      expect(await problem()).toBe('the receiver did not respond: ECONNREFUSED');
      await one!.again();
      service.clock.advance(RETRY_DELAY);
      await eventually(isEmpty);
      expect(petsOf(one!, dead)).toEqual(petsOf(other!, alive));
      expect(other!.requests).toHaveLength(3);
    });

    it('delays no receiver while another one is slow', async () => {
      const hanging: ServerResponse[] = [];
      one!.answer = (_, response) => hanging.push(response);
      const [slow, fast] = [await register(one!), await register(other!)];
      const pets = [await sell(service), await sell(service)];
      await eventually(async () => expect(other!.requests).toHaveLength(2));
      expect(ascending(petsOf(other!, fast))).toEqual(pets);
      await eventually(async () => expect(hanging).toHaveLength(1));
      // The webhook of the other receiver is deleted after its response.
      await eventually(async () =>
        expect(await backlog(service)).toMatchObject([{ waiting: 2, problem: null }]),
      );
      one!.answer = accept;
      hanging[0]!.writeHead(204).end();
      await eventually(isEmpty);
      expect(petsOf(one!, slow)).toEqual(petsOf(other!, fast));
    });

    it('sends a webhook again with the same id if the receiver is killed before it responds', async () => {
      one!.answer = () => {};
      const { secret } = await register(one!);
      await sell(service);
      await eventually(async () => expect(one!.requests).toHaveLength(1));
      await one!.stop();
      expect(await problem()).toBe('the receiver did not respond: ECONNRESET');
      one!.answer = accept;
      await one!.again();
      service.clock.advance(RETRY_DELAY);
      await eventually(isEmpty);
      expect(one!.requests).toHaveLength(2);
      const [first, second] = one!.requests.map((request) => verified(request, secret).id);
      expect(second).toBe(first);
    });

    it('sends each webhook once from two replicas', async () => {
      const replica = await start({ beside: service });
      const registered = [await register(one!), await register(other!)];
      const pets: number[] = [];
      for (let i = 0; i < 20; i++) pets.push(await sell(i % 2 === 0 ? service : replica));
      await eventually(isEmpty);
      await replica.stop();
      for (const [i, receiver] of [one!, other!].entries()) {
        const sent = petsOf(receiver, registered[i]!);
        expect(ascending(sent)).toEqual(ascending(pets));
      }
    });

    if (engine !== sqlite) return;

    it('does not wait for a receiver for longer than the time limit', async () => {
      const impatient = await start({ environment: { ...INTERNAL, WEBHOOKS_TIMEOUT: '250' } });
      const { secret } = await register(one!, impatient);
      const hanging: ServerResponse[] = [];
      one!.answer = (_, response) => hanging.push(response);
      await sell(impatient);
      expect(await problem(impatient)).toBe('the receiver did not respond: it took longer than 250 ms');
      one!.answer = accept;
      await eventually(async () => {
        impatient.clock.advance(RETRY_DELAY);
        expect(await backlog(impatient)).toEqual([]);
      });
      await impatient.stop();
      expect(one!.requests.length).toBeGreaterThan(hanging.length);
      expect(new Set(one!.requests.map((request) => verified(request, secret).id)).size).toBe(1);
    });

    it('does not follow a redirect', async () => {
      one!.answer = (_, response) => response.writeHead(307, { Location: other!.url }).end();
      await register(one!);
      await sell(service);
      expect(await problem()).toBe('the receiver responded with 307');
      expect(other!.requests).toEqual([]);
    });

    it('does not read the body of a response', async () => {
      let isClosed = false;
      one!.answer = (_, response) => {
        response.on('close', () => (isClosed = true));
        response.writeHead(200).write('a body that does not end');
      };
      await register(one!);
      await sell(service);
      // The time limit, which is 15 s, would end the response, too.
      await eventually(async () => expect(isClosed).toBe(true), 10_000);
      await eventually(isEmpty);
      expect(one!.requests).toHaveLength(1);
    });

    it('fails if the receiver asks for another protocol', async () => {
      one!.answer = (_, response) =>
        response.writeHead(101, { Connection: 'Upgrade', Upgrade: 'websocket' }).end();
      await register(one!);
      await sell(service);
      expect(await problem()).toBe('the receiver did not respond: it closed the connection');
    });
  }));

describe('webhooks to public addresses only', () => {
  let service: Service;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService(sqlite);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const NOT_SENT = 'the receiver did not respond: its address is not public';
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const { signal } = new AbortController();
  const send = (of: Service, host: string) => {
    const url = receiver.url.replace('127.0.0.1', host);
    return of.app.get(WebhookSender).send({ url, secret }, petSold('msg_1', 1n, new Date(0)), signal);
  };

  it.each(['127.0.0.1', '127.1', '0x7f000001', '2130706433', 'localhost', '0.0.0.0'])(
    'does not connect to %s, unless a setting allows it',
    async (host) => {
      receiver.requests.length = 0;
      await expect(send(service, host)).rejects.toThrow(NOT_SENT);
      expect(receiver.requests).toEqual([]);
      const open = await startService(sqlite, { environment: INTERNAL });
      await send(open, host);
      await open.stop();
      expect(receiver.requests).toHaveLength(1);
    },
  );

  it.each(['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '169.254.169.254'])(
    'does not connect to %s',
    async (host) => {
      await expect(send(service, host)).rejects.toThrow(NOT_SENT);
    },
  );

  it('does not use a connection that other code has opened', async () => {
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    const [response] = (await once(http.request(url, { method: 'POST' }).end('{}'), 'response')) as [
      http.IncomingMessage,
    ];
    await once(response.resume(), 'close');
    await expect(send(service, 'localhost')).rejects.toThrow(NOT_SENT);
  });

  it('tries again after such an address, because the address of a host may change', async () => {
    const url = receiver.url.replace('http://127.0.0.1', 'https://localhost');
    expect((await service.client.post(RECEIVERS, { url })).status).toBe(201);
    await sell(service);
    await eventually(async () =>
      expect(await backlog(service)).toMatchObject([
        { subscriber: 'webhook-sending', waiting: 1, failing: 1, setAside: 0, problem: NOT_SENT },
      ]),
    );
  });
});
