// Fastify with JSON schemas: Ajv judges what comes in, fast-json-stringify writes what goes out. Integers are exact in
// answers, for it writes bigints. In bodies they are exact to 2^53, for they are read with JSON.parse.
import fastify from 'fastify';
import {
  announce,
  countFrom,
  FIND,
  INSERT,
  isKnown,
  listStatement,
  openPool,
  type PetRow,
  type PetStatus,
  PORT,
  STATUSES,
} from './shared.js';

const pool = openPool({ bigNumberStrings: true });
const nextId = await countFrom(pool);
const app = fastify({ logger: false, bodyLimit: 100 * 1024 });

const petOf = (row: PetRow) => ({
  id: BigInt(row.id),
  name: row.name,
  categoryId: BigInt(row.category_id),
  status: row.status,
});

const status = { type: 'string', enum: STATUSES } as const;
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId', 'status'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
  },
} as const;
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
    before: { type: 'string', pattern: '^\\d{1,19}$' },
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

app.addHook('onRequest', async (request, reply) => {
  if (!isKnown(request.headers.authorization)) return reply.code(401).send({ message: 'no good key' });
});

app.get<{ Querystring: Selection }>(
  '/v1/pets',
  { schema: { querystring: selection, response: { 200: { type: 'array', items: pet } } } },
  async ({ query: { status, limit, before } }) => {
    const [rows] = await pool.query<PetRow[]>(...listStatement(status, before, limit));
    return rows.map(petOf);
  },
);

app.post<{ Body: NewPet }>(
  '/v1/pets',
  { schema: { body: newPet, response: { 201: pet } } },
  async ({ body: { name, categoryId, status } }, reply) => {
    const id = nextId();
    const values = [id, name, categoryId, status];
    await pool.query(INSERT, values);
    reply.code(201);
    return { id, name, categoryId, status };
  },
);

app.get<{ Params: { id: string } }>(
  '/v1/pets/:id',
  {
    schema: {
      params: { type: 'object', properties: { id: { type: 'string', pattern: '^\\d{1,19}$' } } },
      response: { 200: pet },
    },
  },
  async ({ params: { id } }, reply) => {
    const [rows] = await pool.query<PetRow[]>(FIND, [BigInt(id)]);
    if (!rows[0]) return reply.code(404).send({ message: 'no such pet' });
    return petOf(rows[0]);
  },
);

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
announce(app.server, () => pool.end());
