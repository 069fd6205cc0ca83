import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RawBodyRequest } from '@nestjs/common';
import { Mutex } from 'async-mutex';
import type { Request } from 'express';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { DatabaseUnavailable } from '../../src/platform/database/index.js';
import { ApiException } from '../../src/platform/http/index.js';
import {
  AlreadyCompleted,
  type IdempotencyStore,
  type StoredResponse,
  idempotency as module,
} from '../support/rooms/http.js';
import { inAnyOrder, type Order } from './orders.js';

/** How a commit ends. A lost commit may have taken effect or not, and the service cannot tell which. */
const commit = fc.constantFrom('done', 'done', 'lost', 'lost but done');

/** One client that repeats a request until it gets a response, to any of two replicas, without waiting for earlier responses. */
const plan = fc.record({
  requests: fc.array(fc.nat(1), { minLength: 1, maxLength: 5 }),
  commits: fc.array(commit, { minLength: 12, maxLength: 12 }),
});

/** The table of a shop that has one pet: the first unit of work sells the pet, and a second one does not find it. */
class Shop {
  isSold = false;
  sales = 0;
  answer: { bodyHash: string; response: StoredResponse } | undefined;
  readonly #row = new Mutex();
  #changes: (() => void)[] = [];

  constructor(
    private readonly order: Order,
    readonly commits: ReturnType<typeof commit.generate>['value'][],
  ) {}

  /** A unit of work waits for other units at the row of the pet. */
  readonly units = {
    run: <Result>(work: () => Promise<Result>) =>
      this.#row.runExclusive(async () => {
        this.#changes = [];
        const result = await work();
        await this.order.event('commit');
        const end = this.commits.shift() ?? 'done';
        if (end !== 'lost') for (const change of this.#changes) change();
        await this.order.event('the commit is acknowledged');
        if (end !== 'done') throw new DatabaseUnavailable(new Error(end), 'lost');
        return result;
      }),
  } as UnitOfWork;

  readonly store = {
    find: async () => {
      await this.order.event('look for the stored answer');
      return this.answer;
    },
    add: async ({ bodyHash }, response) => {
      await this.order.event('store the answer');
      if (this.answer) throw new AlreadyCompleted();
      this.#changes.push(() => (this.answer = { bodyHash, response }));
    },
  } as Pick<IdempotencyStore, 'find' | 'add'> as IdempotencyStore;

  async sell(): Promise<{ sale: number }> {
    await this.order.event('sell');
    if (this.isSold) throw new Error('sold already');
    this.#changes.push(() => {
      this.isSold = true;
      this.sales += 1;
    });
    return { sale: 1 };
  }
}

function aRequest(): RawBodyRequest<Request> {
  const request = new IncomingMessage(new Socket()) as RawBodyRequest<Request>;
  request.headers = { 'idempotency-key': 'one' };
  request.rawHeaders = ['Idempotency-Key', 'one'];
  request.rawBody = Buffer.from('{}');
  request.res = new ServerResponse(request) as NonNullable<Request['res']>;
  return request;
}

inAnyOrder('a repeated request is executed once, and is never rejected because of its own effect', {
  module,
  plan,
  async story({ Idempotency }, { requests, commits }, order) {
    const shop = new Shop(order, [...commits]);
    const replicas = [0, 1].map(() => new Idempotency(shop.store, shop.units));
    const send = async (replica: number) => {
      const once = replicas[replica]!.transform(aRequest(), { type: 'custom', data: 'sell' });
      try {
        return JSON.stringify(await once(() => shop.sell()));
      } catch (error) {
        return error instanceof ApiException ? error.answer.code : String(error);
      }
    };
    const answers: string[] = [];
    for (const replica of requests)
      void order.event(`a request to ${replica}`).then(async () => answers.push(await send(replica)));
    await order.play();

    expect(answers).toHaveLength(requests.length);
    const allowed = ['{"sale":1}', 'idempotency_in_progress', String(new DatabaseUnavailable())];
    expect(answers.filter((answer) => !allowed.includes(answer))).toEqual([]);
    expect(shop.sales).toBeLessThanOrEqual(1);
    if (answers.includes('{"sale":1}')) expect(shop.sales).toBe(1);
    // A request that is repeated after the last fault is executed, unless it was executed before.
    shop.commits.length = 0;
    const last = send(0);
    await order.play();
    expect([await last, shop.sales]).toEqual(['{"sale":1}', 1]);
  },
  faults: {
    'the effect of a request is not the reason to reject it': 'const stored = undefined;',
  },
});
