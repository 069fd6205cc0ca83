import fc from 'fast-check';
import { expect } from 'vitest';
import type { Shop } from './shop.js';
import { byNewest, isFinal, type Order, type Post, type ShopModel } from './shop-model.js';
import { type Match, Requests } from './shop-requests.js';

type Work = (requests: Requests, model: ShopModel, shop: Shop) => Promise<void>;

/** A step of a sequence. Its text is what a failed test shows. It has no state, so it means the same after steps before it were left out. */
class Step implements fc.AsyncCommand<ShopModel, Shop> {
  constructor(
    private readonly text: string,
    private readonly work: Work,
    readonly check: (model: ShopModel) => boolean = () => true,
  ) {}

  run(model: ShopModel, shop: Shop): Promise<void> {
    return this.work(new Requests(shop, model), model, shop);
  }

  toString(): string {
    return `\n${this.text}`;
  }
}

const replica = fc.nat(1);
/** The index of a thing. Small, so that steps often meet. */
const index = fc.nat(3);
const indexOrNone = fc.oneof(
  { weight: 9, arbitrary: index },
  { weight: 1, arbitrary: fc.constant<'none'>('none') },
);
/** Mostly the first key, which may do everything. */
const key = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: index });
const petStatus = fc.constantFrom(undefined, undefined, 'available', 'pending', 'sold');
const move = fc.constantFrom('approved', 'delivered', 'cancelled');
const match = fc.constantFrom<Match>('nothing', 'any tag', 'the current tag', 'an outdated tag');
const scopes = fc.subarray(['pets:read', 'pets:write', 'orders:read', 'orders:write'], { minLength: 1 });

const by = (key: number, replica: number) => `(key ${key}, replica ${replica})`;
const newKey = ({ posts }: ShopModel) => `once-${posts.length}`;
const open = ({ orders }: ShopModel) => orders.filter((order) => !isFinal(order));

const addPet = fc.record({ replica, key, status: petStatus, once: fc.boolean() }).map(
  ({ replica, key, status, once }) =>
    new Step(`add a pet: ${status}${once ? ', once' : ''} ${by(key, replica)}`, (requests, model) => {
      const way = { replica, key: model.key(key) };
      return requests.addPet(way, status, once ? newKey(model) : undefined);
    }),
);

const placeOrder = fc.record({ replica, key, pet: indexOrNone, once: fc.boolean() }).map(
  ({ replica, key, pet, once }) =>
    new Step(`order pet ${pet}${once ? ', once' : ''} ${by(key, replica)}`, (requests, model) => {
      const way = { replica, key: model.key(key) };
      return requests.order(way, model.petId(pet), once ? newKey(model) : undefined);
    }),
);

const moveOrder = fc
  .record({ replica, key, order: indexOrNone, status: move, match })
  .map(
    ({ replica, key, order, status, match }) =>
      new Step(
        `move order ${order}: ${status}, with ${match} in If-Match ${by(key, replica)}`,
        (requests, model) =>
          requests.move({ replica, key: model.key(key) }, model.orderId(order), status, match),
      ),
  );

const repeat = fc
  .record({
    replica,
    post: index,
    change: fc.constantFrom('unchanged', 'with another body', 'with another API key'),
  })
  .map(
    ({ replica, post, change }) =>
      new Step(
        `repeat POST ${post}, ${change} (replica ${replica})`,
        (requests, { posts, keys }) => {
          const sent = posts[post % posts.length]!;
          if (change === 'unchanged') return requests.post(sent, replica);
          if (change === 'with another API key') {
            const other = keys[(keys.indexOf(sent.key) + 1) % keys.length]!;
            return requests.post({ ...sent, key: other }, replica);
          }
          const body = sent.path === '/v1/pets' ? { ...sent.body, name: 'Luna' } : { petId: 1 };
          return requests.post({ ...sent, body }, replica);
        },
        ({ posts }) => posts.length > 0,
      ),
  );

const readPet = fc
  .record({ replica, key, pet: indexOrNone, conditional: fc.boolean() })
  .map(
    ({ replica, key, pet, conditional }) =>
      new Step(`read pet ${pet}${conditional ? ' if changed' : ''} ${by(key, replica)}`, (requests, model) =>
        requests.readPet({ replica, key: model.key(key) }, model.petId(pet), conditional),
      ),
  );

const readOrder = fc
  .record({ replica, key, order: indexOrNone, conditional: fc.boolean() })
  .map(
    ({ replica, key, order, conditional }) =>
      new Step(
        `read order ${order}${conditional ? ' if changed' : ''} ${by(key, replica)}`,
        (requests, model) =>
          requests.readOrder({ replica, key: model.key(key) }, model.orderId(order), conditional),
      ),
  );

const listPets = fc
  .record({ replica, key, status: petStatus, limit: fc.integer({ min: 1, max: 4 }), all: fc.boolean() })
  .map(({ replica, key, status, limit, all }) => {
    const path = `/v1/pets?limit=${limit}${status ? `&status=${status}` : ''}`;
    return new Step(
      `read ${all ? 'all pages' : 'if changed'}: ${path} ${by(key, replica)}`,
      async (requests, model) => {
        const way = { replica, key: model.key(key) };
        const pets = model.pets
          .filter((pet) => status === undefined || pet.status === status)
          .toSorted(byNewest);
        if (all) await requests.turnPages(way, path, pets);
        else await requests.read(way, path, pets.slice(0, limit), true);
      },
    );
  });

const listOrders = fc
  .record({
    replica,
    key,
    status: fc.option(move),
    pet: fc.option(index),
    limit: fc.integer({ min: 1, max: 4 }),
  })
  .map(
    ({ replica, key, status, pet, limit }) =>
      new Step(
        `read all pages: orders of pet ${pet}, ${status}, ${limit} a page ${by(key, replica)}`,
        (requests, model) => {
          const petId = pet === null ? undefined : model.petId(pet);
          const query = `limit=${limit}${status ? `&status=${status}` : ''}${petId === undefined ? '' : `&petId=${petId}`}`;
          const orders = model.orders.filter(
            (order) => (status ?? order.status) === order.status && (petId ?? order.petId) === order.petId,
          );
          const way = { replica, key: model.key(key) };
          return requests.turnPages(way, `/v1/store/orders?${query}`, orders.toSorted(byNewest));
        },
      ),
  );

const issueKey = fc.record({ replica, scopes: fc.option(scopes, { nil: undefined }) }).map(
  ({ replica, scopes }) =>
    new Step(
      `issue a key: ${scopes?.join(',') ?? 'everything'} (replica ${replica})`,
      async (_, model, shop) => {
        const name = `key ${model.keys.length}`;
        const { key, secret } = await shop.keysOf(replica).issue({ name, scopes }, 'test', 'a test');
        model.keys.push({ name, secret, scopes, id: key.id });
      },
    ),
);

/** The key is in the cache of both replicas when it is revoked. */
const revokeKey = fc
  .record({ replica, key: fc.integer({ min: 1, max: 3 }), ms: fc.constantFrom(0, 4_999, 5_000) })
  .map(
    ({ replica, key, ms }) =>
      new Step(
        `use key ${key}, revoke it through replica ${replica}, and use it again after ${ms} ms`,
        async (requests, model, shop) => {
          const revoked = model.keys[key]!;
          const use = async () => {
            for (const replica of [0, 1])
              await requests.readPet({ replica, key: revoked }, model.petId(0), false);
          };
          await use();
          await shop.keysOf(replica).revoke(revoked.id!, 'a test');
          revoked.revokedAt ??= shop.clock.monotonic();
          shop.clock.advance(ms);
          await use();
        },
        ({ keys }) => key < keys.length,
      ),
  );

const wait = fc
  .constantFrom(4_999, 5_000, 86_400_000)
  .map((ms) => new Step(`wait ${ms} ms`, async (_, __, shop) => shop.clock.advance(ms)));

const bothOrder = fc.record({ pet: indexOrNone }).map(
  ({ pet }) =>
    new Step(`order pet ${pet} through both replicas at once`, async (requests, model, shop) => {
      const petId = model.petId(pet);
      const posts = [0, 1].map((replica): Post => {
        const idempotencyKey = `${newKey(model)}-${replica}`;
        return { path: '/v1/store/orders', key: shop.firstKey, body: { petId }, idempotencyKey };
      });
      const answers = await Promise.all(posts.map((post, replica) => sendPost(shop, post, replica)));
      // The order that was accepted was the first one.
      const winner = answers[1]!.status === 201 ? 1 : 0;
      for (const one of [winner, 1 - winner]) requests.judge(posts[one]!, answers[one]!);
      model.posts.push(...posts);
    }),
);

const bothAdd = fc.constant(
  new Step('add a pet through both replicas at once, once', async (requests, model, shop) => {
    const body = { name: 'Ada', categoryId: 7 };
    const post: Post = { path: '/v1/pets', key: shop.firstKey, body, idempotencyKey: newKey(model) };
    const answers = await Promise.all([0, 1].map((replica) => sendPost(shop, post, replica)));
    const isReplay = ({ headers }: (typeof answers)[number]) => headers.has('idempotency-replayed');
    const executed = answers.findIndex((answer) => answer.status === 201 && !isReplay(answer));
    const [first, other] = [answers[executed] ?? answers[0]!, answers[1 - executed] ?? answers[1]!];
    requests.judge(post, first);
    model.posts.push(post);
    if (other.status === 409) expect(other.json).toMatchObject({ code: 'idempotency_in_progress' });
    else requests.judge(post, other);
  }),
);

const bothMove = fc.record({ order: index }).map(
  ({ order: index }) =>
    new Step(
      `deliver open order ${index} through one replica and cancel it through the other one, with the same If-Match`,
      async (requests, model, shop) => {
        const orders = open(model);
        const order: Order = orders[index % orders.length]!;
        const tag = await requests.currentTag(order);
        const statuses = ['delivered', 'cancelled'];
        const answers = await Promise.all(
          statuses.map((status, replica) =>
            shop.send('PATCH', `/v1/store/orders/${order.id}`, {
              replica,
              key: shop.firstKey,
              headers: { 'If-Match': tag },
              body: { status },
            }),
          ),
        );
        const winner = answers[1]!.status === 200 ? 1 : 0;
        requests.judgeMove(order, statuses[winner]!, true, answers[winner]!);
        requests.judgeMove(order, statuses[1 - winner]!, false, answers[1 - winner]!);
      },
      (model) => open(model).length > 0,
    ),
);

const sendPost = (shop: Shop, { path, key, body, idempotencyKey }: Post, replica: number) =>
  shop.send('POST', path, { replica, key, body, headers: { 'Idempotency-Key': idempotencyKey } });

const changes = [addPet, placeOrder, moveOrder, repeat];
const reads = [readPet, readOrder, listPets, listOrders];
const others = [issueKey, revokeKey, wait, bothOrder, bothAdd, bothMove];

/** Sequences of steps. Changes, on which the other steps depend, come twice as often. */
export const sequences = fc.commands<ShopModel, Shop, false>([...changes, ...changes, ...reads, ...others], {
  maxCommands: 50,
  size: 'max',
});
