// Express. Integers are exact in responses; in request bodies up to 2^53.
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { announce, isId, isKnown, isStatus, MAX_BODY_BYTES, openStore, PORT } from './store.js';

const store = await openStore();
const app = express();
app.disable('x-powered-by');

const checkKey: RequestHandler = (req, res, next) => {
  if (isKnown(req.headers.authorization)) next();
  else res.status(401).json({ message: 'no good key' });
};

app.use(checkKey);

app.get('/v1/pets', async (req, res) => {
  const { status, limit = '20', before } = req.query;
  const size = Number(limit);
  if (status !== undefined && !isStatus(status))
    return void res.status(400).json({ message: 'status: unknown' });
  if (!Number.isInteger(size) || size < 1 || size > 100)
    return void res.status(400).json({ message: 'limit: 1 to 100' });
  if (before !== undefined && !isId(before)) return void res.status(400).json({ message: 'before: an id' });
  res.type('json').send(await store.list(status, before, size));
});

app.post('/v1/pets', express.json({ limit: MAX_BODY_BYTES }), async (req, res) => {
  const { name, categoryId, status = 'available' } = (req.body ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name.length < 1 || name.length > 255)
    return void res.status(400).json({ message: 'name: 1 to 255' });
  if (!Number.isSafeInteger(categoryId))
    return void res.status(400).json({ message: 'categoryId: an integer' });
  if (!isStatus(status)) return void res.status(400).json({ message: 'status: unknown' });
  res
    .status(201)
    .type('json')
    .send(await store.add(name, categoryId as number, status));
});

app.get('/v1/pets/:id', async (req, res) => {
  const { id } = req.params;
  const pet = isId(id) ? await store.find(id) : undefined;
  if (pet === undefined) return void res.status(404).json({ message: 'no such pet' });
  res.type('json').send(pet);
});

const onError: ErrorRequestHandler = (error: { status?: number }, _req, res, next) => {
  if (res.headersSent) return next(error);
  res.status(error.status ?? 500).json({ message: 'refused' });
};
app.use(onError);

const server = app.listen(Number(PORT), '127.0.0.1', () => announce(server, () => store.close()));
