// The baseline: Node's own HTTP server, the rest hand-written. Integers are exact in responses; in request bodies up to 2^53.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { announce, isId, isKnown, isStatus, JSON_TYPE, MAX_BODY_BYTES, openStore, PORT } from './store.js';

const store = await openStore();

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function list(query: URLSearchParams) {
  const status = query.get('status') ?? undefined;
  const before = query.get('before') ?? undefined;
  const limit = query.get('limit') ?? '20';
  if (status !== undefined && !isStatus(status)) throw new Refused(400, 'status: unknown');
  if (!/^(?:\d{1,2}|100)$/.test(limit) || Number(limit) === 0) throw new Refused(400, 'limit: 1 to 100');
  if (before !== undefined && !isId(before)) throw new Refused(400, 'before: an id');
  return store.list(status, before, Number(limit));
}

async function find(id: string): Promise<string> {
  const pet = isId(id) ? await store.find(id) : undefined;
  if (pet === undefined) throw new Refused(404, 'no such pet');
  return pet;
}

function add(body: unknown) {
  if (typeof body !== 'object' || body === null) throw new Refused(400, 'an object is wanted');
  const { name, categoryId, status = 'available' } = body as Record<string, unknown>;
  if (typeof name !== 'string' || name.length < 1 || name.length > 255)
    throw new Refused(400, 'name: 1 to 255');
  if (!Number.isSafeInteger(categoryId)) throw new Refused(400, 'categoryId: an integer');
  if (!isStatus(status)) throw new Refused(400, 'status: unknown');
  return store.add(name, categoryId as number, status);
}

/** Uses listeners, which cost less than an asynchronous iterator. */
function readJson(request: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(new Refused(413, 'too large'));
    });
    request.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString()));
      } catch {
        reject(new Refused(400, 'no JSON'));
      }
    });
    request.on('error', reject);
  });
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

const LIST = '/v1/pets';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isKnown(request.headers.authorization)) throw new Refused(401, 'no good key');
  const [path, query] = request.url!.split('?', 2) as [string, string?];
  if (path === LIST && request.method === 'GET') send(response, 200, await list(new URLSearchParams(query)));
  else if (path === LIST && request.method === 'POST')
    send(response, 201, await add(await readJson(request)));
  else if (path.startsWith(`${LIST}/`) && request.method === 'GET')
    send(response, 200, await find(path.slice(LIST.length + 1)));
  else throw new Refused(404, 'no such route');
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    const [status, message] = error instanceof Refused ? [error.status, error.message] : [500, 'a fault'];
    send(response, status, JSON.stringify({ message }));
  });
});
server.listen(Number(PORT), '127.0.0.1', () => announce(server, () => store.close()));
