import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RawBodyRequest } from '@nestjs/common';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import type { UnitOfWork } from '../../../../../src/kernel/unit-of-work.js';
import { DatabaseUnavailable } from '../../../../../src/platform/database/index.js';
import { setCaller } from '../../../../../src/platform/http/index.js';
import {
  AlreadyCompleted,
  type IdempotencyStore,
  idempotency as module,
  type StoredResponse,
} from '../../../../support/rooms/http.js';
import { MemoryUnitOfWork } from '../../../../support/memory/memory-unit-of-work.js';

type IdempotentRequest = Parameters<IdempotencyStore['find']>[0];

const nameOf = ({ caller, operation, key }: IdempotentRequest) => `${caller}|${operation}|${key}`;

/** Stores responses in memory. */
class Shelf {
  readonly answers = new Map<string, { bodyHash: string; response: StoredResponse }>();
  readonly asked: IdempotentRequest[] = [];

  async find(request: IdempotentRequest) {
    this.asked.push(request);
    return this.answers.get(nameOf(request));
  }

  async add(request: IdempotentRequest, response: StoredResponse) {
    if (this.answers.has(nameOf(request))) throw new AlreadyCompleted();
    this.answers.set(nameOf(request), { bodyHash: request.bodyHash, response });
  }
}

interface File {
  readonly fieldname: string;
  readonly originalname: string;
  readonly size: number;
  readonly buffer?: Buffer;
}

interface Sent {
  readonly key?: string | string[];
  /** `null` means a request without a body. */
  readonly body?: string | object | null;
  /** What multer adds to the request. */
  readonly upload?: { readonly file?: File; readonly files?: File[] | Readonly<Record<string, File[]>> };
  readonly caller?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly address?: string;
  /** The headers that the response has before the work. */
  readonly before?: Readonly<Record<string, string | string[]>>;
}

function serviceWith(units: UnitOfWork = new MemoryUnitOfWork(), shelf = new Shelf()) {
  const idempotency = new module.Idempotency(
    shelf as Pick<IdempotencyStore, 'find' | 'add'> as IdempotencyStore,
    units,
  );
  const send = async (
    {
      key,
      body = '{}',
      upload = {},
      caller = '5',
      operation = 'Pets.add',
      method = 'POST',
      address = '/v1/pets',
      before = {},
    }: Sent,
    work: (response: Response) => unknown,
  ) => {
    const request = new IncomingMessage(new Socket()) as RawBodyRequest<Request>;
    const keys = key === undefined ? [] : [key].flat();
    if (keys.length > 0) request.headers = { 'idempotency-key': keys.join(', ') };
    request.rawHeaders = keys.flatMap((one) => ['Idempotency-Key', one]);
    if (typeof body === 'string') request.rawBody = Buffer.from(body);
    else request.body = body ?? undefined;
    Object.assign(request, { method, originalUrl: address, ...upload });
    if (caller !== '') setCaller(request, caller, { mayDo: () => true });
    const response = new ServerResponse(request) as Response;
    request.res = response;
    for (const [name, value] of Object.entries(before)) response.setHeader(name, value);
    const once = idempotency.transform(request, { type: 'custom', data: operation });
    return { answer: await once(() => work(response)), response };
  };
  return { send, shelf };
}

/** Adds one pet each time it is called, and returns the number of pets. */
function adding() {
  let count = 0;
  return (response: Response) => {
    response.statusCode = 201;
    response.setHeader('Location', `/v1/pets/${++count}`);
    response.setHeader('X-Own', `of ${count}`);
    return { id: count };
  };
}

// The headers and the body of a stored response: test/e2e/http/stored-responses.test.ts.
describe('a request without a key', () => {
  it('is executed each time, and its response is not stored', async () => {
    const { send, shelf } = serviceWith();
    const work = adding();
    for (const id of [1, 2]) expect((await send({}, work)).answer).toEqual({ id });
    expect(shelf.asked).toEqual([]);
  });
});

describe('a request with a key', () => {
  it('that is repeated gets the first response: status, headers and body', async () => {
    const { send } = serviceWith();
    const work = adding();
    const first = await send({ key: 'one' }, work);
    expect(first.response.hasHeader('Idempotency-Replayed')).toBe(false);
    let again = 0;
    const { answer, response } = await send({ key: 'one' }, () => (again += 1));
    expect([answer, response.statusCode, again]).toEqual([{ id: 1 }, 201, 0]);
    expect({ ...response.getHeaders() }).toEqual({
      location: '/v1/pets/1',
      'x-own': 'of 1',
      'idempotency-replayed': 'true',
    });
  });

  it('differs from a request of another client, operation or key', async () => {
    const { send, shelf } = serviceWith();
    const work = adding();
    const others = [{ caller: '6' }, { caller: '' }, { operation: 'Orders.place' }, { key: 'two' }];
    await send({ key: 'one' }, work);
    for (const [i, other] of others.entries())
      expect((await send({ key: 'one', ...other }, work)).answer).toEqual({ id: i + 2 });
    expect([...shelf.answers.keys()]).toEqual([
      '5|Pets.add|one',
      '6|Pets.add|one',
      '|Pets.add|one',
      '5|Orders.place|one',
      '5|Pets.add|two',
    ]);
  });

  it.each<[string, string | object | null, string]>([
    ['bytes', '{ "name": "Rex" }', '{ "name": "Rex" }'],
    ['data that a parser of the module has read', { name: 'Rex' }, '{"name":"Rex"}'],
    ['absence', null, ''],
  ])('is stored with the SHA-256 of its %s', async (_, body, hashed) => {
    const { send, shelf } = serviceWith();
    await send({ key: 'one', body }, adding());
    expect(shelf.asked[0]!.bodyHash).toBe(hash('sha256', hashed, 'hex'));
  });

  it('is stored with the SHA-256 of each file of an upload', async () => {
    const { send, shelf } = serviceWith();
    const photo = { fieldname: 'photo', originalname: 'rex.jpg', size: 3, buffer: Buffer.from('rex') };
    const large = { fieldname: 'film', originalname: 'rex.mp4', size: 9 };
    const ofPhoto = `["photo","rex.jpg",3,"${hash('sha256', 'rex', 'hex')}"]`;
    const ofLarge = '["film","rex.mp4",9,null]';
    const body = { name: 'Rex' };
    for (const [i, { sent, hashed }] of [
      { sent: { body, upload: { file: photo } }, hashed: `{"name":"Rex"} [${ofPhoto}]` },
      { sent: { body: null, upload: { files: [photo, large] } }, hashed: ` [${ofPhoto},${ofLarge}]` },
      {
        sent: { body, upload: { files: { film: [large], photo: [photo] } } },
        hashed: `{"name":"Rex"} [${ofLarge},${ofPhoto}]`,
      },
      { sent: { body, upload: { files: [] } }, hashed: '{"name":"Rex"}' },
    ].entries()) {
      await send({ key: `upload-${i}`, ...sent }, adding());
      expect(shelf.asked.at(-1)!.bodyHash).toBe(hash('sha256', hashed, 'hex'));
    }
  });

  it('that version 2.0 has stored is repeated by all requests with the same body', async () => {
    const { send, shelf } = serviceWith();
    await send({ key: 'one' }, adding());
    const [name, { bodyHash, response }] = [...shelf.answers][0]!;
    const { method: _, path: __, query: ___, ...old } = response;
    shelf.answers.set(name, { bodyHash, response: old });
    const { answer } = await send({ key: 'one', address: '/v1/pets?dry=1' }, () => expect.unreachable());
    expect(answer).toEqual({ id: 1 });
  });

  it.each<[string, Sent]>([
    ['body', { body: '{ }' }],
    ['method', { method: 'PUT' }],
    ['path', { address: '/v1/pets/7' }],
    ['spelling of its path', { address: '/v1/%70ets' }],
    ['query', { address: '/v1/pets?dry=1' }],
  ])('is rejected when it has another %s', async (_, other) => {
    const { send } = serviceWith();
    await send({ key: 'one' }, adding());
    await expect(send({ key: 'one', ...other }, adding())).rejects.toMatchObject({
      answer: {
        code: 'idempotency_key_reused',
        message: 'The `Idempotency-Key` was used for another request. Choose a new key for each new request.',
      },
    });
  });

  it('is the same request with an empty query or with the same text of its query', async () => {
    const { send } = serviceWith();
    for (const [key, one, same] of [
      ['empty', '/v1/pets?', '/v1/pets'],
      ['several', '/v1/pets?a=?&b=1', '/v1/pets?a=?&b=1'],
    ] as const) {
      const work = adding();
      await send({ key, address: one }, work);
      expect((await send({ key, address: same }, work)).answer).toEqual({ id: 1 });
      await expect(send({ key, address: '/v1/pets?b=1&a=?' }, work)).rejects.toMatchObject({
        answer: { code: 'idempotency_key_reused' },
      });
    }
  });

  it('is rejected while the first request is running, and executed again when the first one was rejected', async () => {
    // Units of work in memory wait for each other.
    const { send } = serviceWith({ run: (work) => work() } as UnitOfWork);
    let reject!: (error: Error) => void;
    const first = send({ key: 'One' }, () => new Promise((_, no) => (reject = no)));
    await expect.poll(() => reject).toBeDefined();
    await expect(send({ key: 'One' }, adding())).rejects.toMatchObject({
      answer: {
        code: 'idempotency_in_progress',
        message:
          'A request with the same `Idempotency-Key` is still being executed. Send the request again after the time in `Retry-After`.',
        headers: { 'Retry-After': '1' },
      },
    });
    // A request of another client, for another operation, or with another key is a different request.
    for (const other of [{ caller: '6' }, { operation: 'Pets.addO', key: 'ne' }, { key: 'two' }])
      expect((await send({ key: 'One', ...other }, adding())).answer).toEqual({ id: 1 });
    reject(new Error('not available'));
    await expect(first).rejects.toThrow('not available');
    expect((await send({ key: 'One' }, adding())).answer).toEqual({ id: 1 });
  });

  it('is rejected while another replica executes it', async () => {
    const { send, shelf } = serviceWith();
    shelf.add = () => Promise.reject(new AlreadyCompleted());
    await expect(send({ key: 'one' }, adding())).rejects.toMatchObject({
      answer: { code: 'idempotency_in_progress' },
    });
  });

  it.each([
    ['is looked up once more when its outcome is unknown', 'lost', 2],
    ['is not looked up again when it was certainly not executed', 'unreached', 1],
  ] as const)('%s, and then rejected', async (_, errorClass, lookUps) => {
    const { send, shelf } = serviceWith();
    let tries = 0;
    const work = () => {
      tries += 1;
      throw new DatabaseUnavailable(undefined, errorClass);
    };
    await expect(send({ key: 'one' }, work)).rejects.toThrow(DatabaseUnavailable);
    expect([tries, shelf.asked.length]).toEqual([1, lookUps]);
  });

  it('gets a response that was stored meanwhile, without the headers that its own try has set', async () => {
    const shelf = new Shelf();
    const lost = {
      run: async (work) => {
        await work();
        throw new DatabaseUnavailable(undefined, 'lost');
      },
    } as UnitOfWork;
    const { send } = serviceWith(lost, shelf);
    const work = adding();
    const kept = await send({ key: 'one' }, work);
    expect([kept.answer, kept.response.getHeader('Idempotency-Replayed')]).toEqual([{ id: 1 }, 'true']);

    // Another replica stores it while the work is done here.
    const found = [undefined, shelf.answers.get('5|Pets.add|one')];
    shelf.find = async () => found.shift();
    shelf.add = () => Promise.reject(new AlreadyCompleted());
    const { answer, response } = await send({ key: 'one' }, (own) => {
      own.setHeader('X-Try', 'rolled back');
      return work(own);
    });
    expect([answer, response.getHeader('Location')]).toEqual([{ id: 1 }, '/v1/pets/1']);
    expect(response.hasHeader('X-Try')).toBe(false);
  });

  it('has only the headers of its last try, when a deadlock ends the first', async () => {
    const twice = {
      run: async (work) => {
        await work().catch(() => undefined);
        return work();
      },
    } as UnitOfWork;
    const { send, shelf } = serviceWith(twice);
    shelf.add = async (request, response) => {
      if (shelf.answers.has('deadlock')) return Shelf.prototype.add.call(shelf, request, response);
      shelf.answers.set('deadlock', { bodyHash: '', response });
      throw new Error('deadlock');
    };
    let tries = 0;
    const work = (response: Response) => {
      response.setHeader(`X-Try-${++tries}`, 'yes').appendHeader('Set-Cookie', `try=${tries}`);
      if (tries === 1) {
        response.setHeader('Link', 'b').setHeader('Vary', 'Origin, Accept').setHeader('Connection', 'close');
        response.removeHeader('Stability');
      }
      return {};
    };
    const before = { Link: 'a', Vary: 'Origin', 'Set-Cookie': ['seen=1'], 'X-Own': 'a', Stability: 'stable' };
    const { response } = await send({ key: 'one', before }, work);
    expect({ ...response.getHeaders() }).toEqual({
      link: 'a',
      vary: 'Origin',
      'x-own': 'a',
      stability: 'stable',
      // It does not belong to the work.
      connection: 'close',
      'x-try-2': 'yes',
      'set-cookie': ['seen=1', 'try=2'],
    });
    const again = await send({ key: 'one' }, () => expect.unreachable());
    expect({ ...again.response.getHeaders() }).toEqual({
      'x-try-2': 'yes',
      'set-cookie': ['try=2'],
      'idempotency-replayed': 'true',
    });
  });
});

const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  components: { parameters: { 'Idempotency-Key': { schema: { pattern: string } } } };
};
/** The pattern of the OpenAPI document, which the same keys fit. */
const DOCUMENTED_KEY = new RegExp(components.parameters['Idempotency-Key'].schema.pattern, 'u');

describe('a key', () => {
  it.each([
    ['one', 'one'],
    ['"one"', 'one'],
    [String.raw`"a \"b\" \\c"`, undefined],
    [String.raw`"a\"b\"\\c"`, String.raw`a"b"\c`],
    ['!~', '!~'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    [`"${String.raw`\"`.repeat(255)}"`, '"'.repeat(255)],
    ['', undefined],
    ['""', undefined],
    ['one"', 'one"'],
    ['"one', undefined],
    ['"one"x', undefined],
    [String.raw`"a\b"`, undefined],
    ['a b', undefined],
    ['schlüssel', undefined],
    ['x'.repeat(256), undefined],
    [`"${'x'.repeat(256)}"`, undefined],
    [['one', 'one'], undefined],
    [['"a', 'b"'], undefined],
  ])('%j is read as %j', async (key, read) => {
    const { send, shelf } = serviceWith();
    // What Node joins from several headers has blanks.
    expect(DOCUMENTED_KEY.test([key].flat().join(', '))).toBe(read !== undefined);
    const sent = send({ key }, adding());
    if (read === undefined)
      await expect(sent).rejects.toMatchObject({
        answer: {
          code: 'invalid_idempotency_key',
          status: 400,
          message:
            'The `Idempotency-Key` is malformed. Send the header once, with 1 to 255 visible ASCII characters, such as a UUID.',
        },
      });
    else await sent;
    expect(shelf.asked.map((request) => request.key)).toEqual(read === undefined ? [] : [read]);
  });
});
