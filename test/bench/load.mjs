// Fills the catalogue with generated pets, on MySQL, MariaDB or SQLite:
//   node test/bench/load.mjs --database sqlite:./data/petstore.db --count 10000000
// The schema must exist. New pets get ids after the existing ones, and the id sequence moves past them.
import Database from 'better-sqlite3';
import { Command, InvalidArgumentError } from 'commander';
import { createConnection } from 'mysql2/promise';

/** A packet with this many rows stays far below `max_allowed_packet`, with one commit for all of them. */
const ROWS_PER_STATEMENT = 5_000;
const NAMES = 'Rex Bella Luna Max Zoë Nyan Søren 猫 Brontë Tweety Äffle Ivan'.split(' ');
const LARGE = 2n ** 53n;

/** The pet with this id, as SQL; deterministic, so that two databases of the same size have the same contents. */
function animal(id) {
  const chance = scattered(id);
  const share = chance % 100;
  // None of the names needs escaping.
  const name = `${NAMES[chance % NAMES.length]} ${id}`;
  // One in sixteen has a category that a double cannot represent exactly.
  const categoryId = chance % 16 === 0 ? LARGE + BigInt(chance) : 1 + (chance % 40);
  const status = share < 60 ? 'available' : share < 85 ? 'pending' : 'sold';
  return `(${id},'${name}',${categoryId},'${status}')`;
}

/** Maps neighbouring ids to numbers far apart: the finalizer of MurmurHash3. */
function scattered(id) {
  let hash = id >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

async function openMysql(url) {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  return {
    read: async (statement) => Object.values((await connection.query(statement))[0][0])[0],
    execute: (statement) => connection.query(statement),
    close: () => connection.end(),
  };
}

function openSqlite(file) {
  const database = new Database(file, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  // A power failure may lose the last statements, but does not damage the file.
  database.pragma('synchronous = NORMAL');
  database.pragma('cache_size = -65536');
  return {
    read: (statement) => database.prepare(statement).pluck().get(),
    execute: (statement) => database.exec(statement),
    close: () => database.close(),
  };
}

function openTable(url) {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length));
  if (url.startsWith('mysql://')) return openMysql(url);
  throw new Error('The database must be sqlite:<file> or mysql://user:password@host:port/database.');
}

function wholeNumber(text) {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('Not a whole number.');
  return Number(text);
}

const { database, count } = new Command('load')
  .description('Fills the catalogue with made-up animals.')
  .requiredOption('--database <url>', 'sqlite:<file> or mysql://user:password@host:port/database')
  .option('--count <n>', 'how many', wholeNumber, 100_000)
  .parse()
  .opts();

async function load() {
  const table = await openTable(database);
  const begin = performance.now();
  const first = Number(await table.read('SELECT COALESCE(MAX(id), 0) FROM pets')) + 1;
  for (let stored = 0; stored < count;) {
    const size = Math.min(ROWS_PER_STATEMENT, count - stored);
    const rows = Array.from({ length: size }, (_, i) => animal(first + stored + i));
    await table.execute(`INSERT INTO pets (id, name, category_id, status) VALUES ${rows.join(',')}`);
    stored += size;
    if (stored % 1_000_000 === 0) console.error(`${stored} of ${count} animals`);
  }
  const next = first + count;
  await table.execute(`UPDATE sequences SET next_id = ${next} WHERE name = 'pets' AND next_id < ${next}`);
  await table.close();
  const seconds = (performance.now() - begin) / 1000;
  console.log(`${count} animals in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} per second`);
}

try {
  await load();
} catch (error) {
  console.error(`${error.message}\nIs the schema there? DATABASE_URL=... npm run -s petstore -- db migrate`);
  process.exit(1);
}
