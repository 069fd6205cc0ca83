// The floor: Node's own server and mysql2, everything else by hand. Integers are exact in answers, as the service's are:
// the driver gives them as strings, which go into the JSON as they are.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
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

const MAX_BODY = 100 * 1024;

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const isStatus = (text: unknown): text is PetStatus => STATUSES.includes(text as PetStatus);

const json = (id: string | bigint, name: string, categoryId: string | number, status: PetStatus) =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
const jsonOf = (row: PetRow) => json(row.id, row.name, row.category_id, row.status);
async function list(query: URLSearchParams): Promise<string> {
  const status = query.get('status');
  const limit = query.get('limit') ?? '20';
  const before = query.get('before');
  if (status !== null && !isStatus(status)) throw new Refused(400, 'status: unknown');
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
    throw new Refused(400, 'limit: 1 to 100');
  if (before !== null && !/^\d{1,19}$/.test(before)) throw new Refused(400, 'before: an id');

  const [rows] = await pool.query<PetRow[]>(
    ...listStatement(status ?? undefined, before ?? undefined, Number(limit)),
  );
  return `[${rows.map(jsonOf).join(',')}]`;
}

async function get(id: string): Promise<string> {
  if (!/^\d{1,19}$/.test(id)) throw new Refused(404, 'no such pet');
  const [rows] = await pool.query<PetRow[]>(FIND, [BigInt(id)]);
  if (!rows[0]) throw new Refused(404, 'no such pet');
  return jsonOf(rows[0]);
}

async function add(body: unknown): Promise<string> {
  if (typeof body !== 'object' || body === null) throw new Refused(400, 'an object is wanted');
  const { name, categoryId, status = 'available' } = body as Record<string, unknown>;
  if (typeof name !== 'string' || name.length < 1 || name.length > 255)
    throw new Refused(400, 'name: 1 to 255');
  if (!Number.isSafeInteger(categoryId)) throw new Refused(400, 'categoryId: an integer');
  if (!isStatus(status)) throw new Refused(400, 'status: unknown');
  const id = nextId();
  const values = [id, name, categoryId, status];
  await pool.query(INSERT, values);
  return json(id, name, categoryId as number, status);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_BODY) throw new Refused(413, 'too large');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, 'no JSON');
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length });
  response.end(body);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isKnown(request.headers.authorization)) throw new Refused(401, 'no good key');
  const url = request.url!;
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : url.slice(question + 1));
  if (path === '/v1/pets' && request.method === 'GET') return send(response, 200, await list(query));
  if (path === '/v1/pets' && request.method === 'POST')
    return send(response, 201, await add(await readJson(request)));
  if (path.startsWith('/v1/pets/') && request.method === 'GET')
    return send(response, 200, await get(path.slice('/v1/pets/'.length)));
  throw new Refused(404, 'no such route');
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    const [status, message] = error instanceof Refused ? [error.status, error.message] : [500, 'a fault'];
    send(response, status, JSON.stringify({ message }));
  });
});
server.listen(Number(PORT), '127.0.0.1', () => announce(server, () => pool.end()));
