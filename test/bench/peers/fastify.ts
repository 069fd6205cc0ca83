// Fastify: Ajv validates requests. Responses are the store's JSON, because a response schema would write the same no
// faster. Integers are exact in responses; in request bodies up to 2^53, because JSON.parse reads them.
import fastify from 'fastify';
import {
  announce,
  isKnown,
  JSON_TYPE,
  MAX_BODY_BYTES,
  openStore,
  type PetStatus,
  PORT,
  STATUSES,
} from './store.js';

const store = await openStore();
const app = fastify({ logger: false, bodyLimit: MAX_BODY_BYTES });

const status = { type: 'string', enum: STATUSES } as const;
const id = { type: 'string', pattern: '^\\d{1,19}$' } as const;
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    categoryId: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    status: { ...status, default: 'available' },
  },
} as const;
const selection = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status,
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    before: id,
  },
} as const;

interface Selection {
  status?: PetStatus;
  limit: number;
  before?: string;
}
interface NewPet {
  name: string;
  categoryId: number;
  status: PetStatus;
}

// With a callback, to avoid a promise per request.
app.addHook('onRequest', (request, reply, done) => {
  if (isKnown(request.headers.authorization)) done();
  else reply.code(401).send({ message: 'no good key' });
});

app.get<{ Querystring: Selection }>(
  '/v1/pets',
  { schema: { querystring: selection } },
  async ({ query: { status, limit, before } }, reply) => {
    reply.type(JSON_TYPE);
    return store.list(status, before, limit);
  },
);

app.post<{ Body: NewPet }>(
  '/v1/pets',
  { schema: { body: newPet } },
  async ({ body: { name, categoryId, status } }, reply) => {
    reply.code(201).type(JSON_TYPE);
    return store.add(name, categoryId, status);
  },
);

app.get<{ Params: { id: string } }>(
  '/v1/pets/:id',
  { schema: { params: { type: 'object', properties: { id } } } },
  async ({ params: { id } }, reply) => {
    const pet = await store.find(id);
    if (pet === undefined) return reply.code(404).send({ message: 'no such pet' });
    reply.type(JSON_TYPE);
    return pet;
  },
);

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
announce(app.server, () => store.close());
