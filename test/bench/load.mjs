// Fills the catalogue with generated pets, on MySQL, MariaDB or SQLite:
//   node test/bench/load.mjs --database sqlite:./data/petstore.db --count 10000000
// The schema must exist. New pets get ids after the existing ones, and the id sequence moves past them.
import { Command, InvalidArgumentError } from 'commander';
import { openTable } from './load/open-table.mjs';
import { showProgress } from './load/progress.mjs';

/** Pets generated and stored per batch. */
const BATCH = 10_000;

/** @param {string} text */
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
  const progress = showProgress(count);
  const first = (await table.lastId()) + 1;
  for (let stored = 0; stored < count;) {
    const size = Math.min(BATCH, count - stored);
    await table.store(first + stored, size);
    stored += size;
    progress.at(stored);
  }
  await table.moveSequencePast(first + count - 1);
  await table.close();
  progress.end();
  const seconds = (performance.now() - begin) / 1000;
  console.log(`${count} animals in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} per second`);
}

try {
  await load();
} catch (error) {
  console.error(`${error.message}\nIs the schema there? DATABASE_URL=... npm run -s petstore -- db migrate`);
  process.exit(1);
}
