import { createConnection } from 'mysql2/promise';
import { animal } from './animal.mjs';

/** A packet with this many rows stays far below `max_allowed_packet`, with one commit for all of them. */
const ROWS_PER_STATEMENT = 5_000;

export async function openMysqlTable(url) {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  return {
    async lastId() {
      const [[row]] = await connection.query('SELECT MAX(id) AS last FROM pets');
      return Number(row.last ?? 0);
    },
    async store(first, count) {
      for (let from = first; from < first + count; from += ROWS_PER_STATEMENT) {
        const size = Math.min(ROWS_PER_STATEMENT, first + count - from);
        // None of the generated names needs escaping.
        const rows = Array.from({ length: size }, (_, i) => {
          const { name, categoryId, status } = animal(from + i);
          return `(${from + i},'${name}',${categoryId},'${status}')`;
        });
        await connection.query(`INSERT INTO pets (id, name, category_id, status) VALUES ${rows.join(',')}`);
      }
    },
    moveSequencePast: (id) =>
      connection.query(`UPDATE sequences SET next_id = GREATEST(next_id, ?) WHERE name = 'pets'`, [id + 1]),
    close: () => connection.end(),
  };
}
