// Runs on Deno and Bun with the published package, and prints what it observed.
import {
  AuthenticationError,
  BadRequestError,
  listPetsPage,
  type Pet,
  PetStoreClient,
  PetStoreError,
  type PetStoreOptions,
  Transport,
} from '@petstore/client';

// Both runtimes have `process`, but Deno knows its type only with an npm package.
const { process } = globalThis as unknown as { process: { argv: string[] } };
const [baseUrl = '', faulty = ''] = process.argv.slice(2);
// The key comes from the environment, and where `baseUrl` is left out, the base URL, too.
const clientOf = (options: Partial<PetStoreOptions> = {}) =>
  new PetStoreClient({ baseUrl, onDeprecated: () => undefined, ...options });
const errorOf = async (call: Promise<unknown>): Promise<PetStoreError> => {
  const error = await call.catch((reason: unknown) => reason);
  if (error instanceof PetStoreError) return error;
  throw error;
};

const client = clientOf();
const { pets } = client;
const names: string[] = [];
const list = pets.list({ pageSize: 2 });
for await (const { name } of list) names.push(name);
const secondNames = (await list.toArray()).map(({ name }) => name);

const largest = { name: 'Rex 🐕', categoryId: 2n ** 63n - 1n };
const created = await pets.create(largest, { idempotencyKey: navigator.userAgent });
const again = await pets.create(largest, { idempotencyKey: navigator.userAgent });
const read: Pet = await client.get(`/pets/${created.id}`);
const [newest] = (await listPetsPage(new Transport(), { pageSize: 1 })).items;
const [listed]: Pet[] = await client.list('/pets', { query: { id: created.id } }).toArray();

const refused = await errorOf(pets.create({ name: ' ', categoryId: 7n }));
const stranger = await errorOf(clientOf({ apiKey: 'nobody' }).pets.listPage());

// Each try hits a different fault; of the waits between tries only that for `Retry-After` is left, because random is 0.
const patient = clientOf({ baseUrl: faulty, random: () => 0, timeoutMs: 1_000, maxTries: 20 });
const lucky = await patient.pets.create({ name: 'Mia', categoryId: 7n });

const seen = {
  names,
  secondNames,
  created,
  isSame: again.id === created.id,
  read,
  newest,
  listed,
  refused: [refused instanceof BadRequestError, refused.code, refused.details[0]?.field],
  stranger: [stranger instanceof AuthenticationError, stranger.status, stranger.code],
  lucky,
};
console.log(JSON.stringify(seen));
