import type { Caller, Reply } from '../support/load/caller.js';
import type {
  Add,
  Get,
  Move,
  Operation,
  Order,
  OrderPage,
  PetPage,
  StoredOrder,
  StoredPet,
} from './history.js';

type Outcome = Pick<Operation, 'outcome' | 'answer' | 'isWrong'>;

/** The rejections that the state at that time must confirm. */
const REFUSALS = ['pet_not_available', 'invalid_transition'];
/** Not executed, whatever the state is. */
const NOT_BEGUN = ['overloaded', 'idempotency_in_progress'];

/** Captures only the path: the next page may be requested from another replica. */
const NEXT = /<[^>]*?(\/v1[^>]*)>; rel="next"/;

/** Sends each request once, and records the request and its outcome. */
export class Book {
  readonly operations: Operation[] = [];

  async add(client: string, caller: Caller, name: string, key?: string): Promise<Add> {
    const pet = { name, categoryId: 7 };
    const { times, reply, ...outcome } = await ask(caller.post('/v1/pets', pet, keyHeader(key)));
    return this.#note({ kind: 'add', client, name, key, ...times, ...outcome, id: idIn(reply) });
  }

  async order(client: string, caller: Caller, petId: number, key?: string): Promise<Order> {
    const answer = caller.post('/v1/store/orders', { petId }, keyHeader(key));
    const { times, reply, ...outcome } = await ask(answer);
    return this.#note({ kind: 'order', client, petId, key, ...times, ...outcome, id: idIn(reply) });
  }

  async move(client: string, caller: Caller, order: StoredOrder, to: Move['to']): Promise<Move> {
    const { id, petId } = order;
    const sent = caller.send('PATCH', `/v1/store/orders/${id}`, { body: JSON.stringify({ status: to }) });
    const { times, reply: _, ...outcome } = await ask(sent);
    return this.#note({ kind: 'move', client, id, petId, to, ...times, ...outcome });
  }

  async get(client: string, caller: Caller, petId: number): Promise<Get> {
    const { times, reply, ...outcome } = await ask(caller.get(`/v1/pets/${petId}`), 404);
    const seen = reply?.status === 200 ? (JSON.parse(reply.text) as StoredPet).status : undefined;
    return this.#note({ kind: 'get', client, petId, seen, ...times, ...outcome });
  }

  /** Follows `Link` from the newest item on, for at most `pages` pages; each is requested by a caller from `callers`. */
  async walk(
    client: string,
    callers: () => Caller,
    list: { kind: 'pets'; status?: 'available' } | { kind: 'orders' },
    limit: number,
    pages: number,
  ): Promise<void> {
    const status = 'status' in list ? `&status=${list.status}` : '';
    const path = list.kind === 'pets' ? '/v1/pets' : '/v1/store/orders';
    let next: string | undefined = `${path}?limit=${limit}${status}`;
    let below = Number.POSITIVE_INFINITY;
    for (let i = 0; i < pages && next !== undefined; i++) {
      const { times, reply, ...outcome } = await ask(callers().get(next));
      const items = reply?.status === 200 ? (JSON.parse(reply.text) as StoredPet[] & StoredOrder[]) : [];
      next = NEXT.exec(String(reply?.headers['link'] ?? ''))?.[1];
      this.#note({
        client,
        ...list,
        below,
        isLast: next === undefined,
        ...times,
        ...outcome,
        items,
      } as PetPage | OrderPage);
      below = items.at(-1)?.id ?? below;
      if (outcome.outcome !== 'done') return;
    }
  }

  #note<Kind extends Operation>(operation: Kind): Kind {
    this.operations.push(operation);
    return operation;
  }
}

const keyHeader = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'Idempotency-Key': key };

/** Records the outcome of a request. `seen` is a status other than 2xx that counts as `done`. */
async function ask(
  answer: Promise<Reply>,
  seen?: number,
): Promise<Outcome & { times: Pick<Operation, 'sent' | 'ended'>; reply?: Reply }> {
  const sent = performance.now();
  const reply = await answer.catch((error: unknown) => String(error));
  const times = { sent, ended: performance.now() };
  if (typeof reply === 'string') return { times, outcome: 'unknown', answer: reply };
  const { status, headers, text } = reply;
  const outcome = outcomeOf(status, text, seen);
  const isUnderstood = outcome !== 'unknown' || (status === 503 && headers['retry-after'] !== undefined);
  const told: Outcome = { outcome, answer: `${status} ${text}`, ...(!isUnderstood && { isWrong: true }) };
  return { times, reply, ...told };
}

function outcomeOf(status: number, text: string, seen: number | undefined): Outcome['outcome'] {
  if ((status >= 200 && status < 300) || status === seen) return 'done';
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
  if (status === 409 && REFUSALS.includes(code)) return 'refused';
  return NOT_BEGUN.includes(code) ? 'nothing' : 'unknown';
}

const idIn = (reply?: Reply): number | undefined =>
  reply?.status === 201 ? (JSON.parse(reply.text) as { id: number }).id : undefined;
