import { translated } from '../../../dist/platform/database/database-errors.js';
import { MySqlSessions as Lean } from '../../../dist/platform/database/mysql-sessions.js';

/** Each statement goes through a query runner of TypeORM. */
export class MySqlSessions extends Lean {
  async once(statement, values) {
    const runner = this.source.createQueryRunner();
    try {
      return await query(runner, statement, values);
    } finally {
      await runner.release();
    }
  }

  async lend() {
    const runner = this.source.createQueryRunner();
    const connection = await runner.connect();
    return {
      run: (statement, values) => query(runner, statement, values),
      giveBack: () => void runner.release(),
      discard: () => connection.destroy(),
    };
  }
}

async function query(runner, statement, values) {
  try {
    const { raw } = await runner.query(statement, values, true);
    return Array.isArray(raw) ? { rows: raw, affected: 0 } : { rows: [], affected: raw.affectedRows };
  } catch (error) {
    throw translated(error);
  }
}
