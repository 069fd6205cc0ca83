// Express and mysql2. `res.json` cannot write an integer beyond 2^53 as a number, so such a one goes out as a string;
// in bodies integers are exact to 2^53.
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { RowDataPacket } from 'mysql2/promise';
import {
  announce,
  countFrom,
  FIND,
  INSERT,
  isKnown,
  listStatement,
  openPool,
  type PetStatus,
  PORT,
  STATUSES,
} from './shared.js';

const pool = openPool({ bigNumberStrings: false });
const nextId = await countFrom(pool);
const app = express();
app.disable('x-powered-by');

interface PetRow extends RowDataPacket {
  id: number | string;
  name: string;
  category_id: number | string;
  status: PetStatus;
}

const petOf = ({ id, name, category_id, status }: PetRow) => ({ id, name, categoryId: category_id, status });
const isStatus = (text: unknown): text is PetStatus => STATUSES.includes(text as PetStatus);

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
  if (before !== undefined && !(typeof before === 'string' && /^\d{1,19}$/.test(before)))
    return void res.status(400).json({ message: 'before: an id' });

  const [rows] = await pool.query<PetRow[]>(...listStatement(status, before, size));
  res.json(rows.map(petOf));
});

app.post('/v1/pets', express.json({ limit: '100kb' }), async (req, res) => {
  const { name, categoryId, status = 'available' } = (req.body ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name.length < 1 || name.length > 255)
    return void res.status(400).json({ message: 'name: 1 to 255' });
  if (!Number.isSafeInteger(categoryId))
    return void res.status(400).json({ message: 'categoryId: an integer' });
  if (!isStatus(status)) return void res.status(400).json({ message: 'status: unknown' });
  const id = nextId();
  const values = [id, name, categoryId, status];
  await pool.query(INSERT, values);
  res.status(201).json({ id: Number(id), name, categoryId, status });
});

app.get('/v1/pets/:id', async (req, res) => {
  const { id } = req.params;
  if (!/^\d{1,19}$/.test(id)) return void res.status(404).json({ message: 'no such pet' });
  const [rows] = await pool.query<PetRow[]>(FIND, [BigInt(id)]);
  if (!rows[0]) return void res.status(404).json({ message: 'no such pet' });
  res.json(petOf(rows[0]));
});

const onError: ErrorRequestHandler = (error: { status?: number }, _req, res, next) => {
  if (res.headersSent) return next(error);
  res.status(error.status ?? 500).json({ message: 'refused' });
};
app.use(onError);

const server = app.listen(Number(PORT), '127.0.0.1', () => announce(server, () => pool.end()));
