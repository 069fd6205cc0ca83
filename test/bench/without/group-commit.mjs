import { Rows as Batching } from '../../../dist/platform/database/rows.js';

/** Each new row has a statement, and so a commit, of its own; reads go together as ever. */
export class Rows extends Batching {
  async add(values) {
    await this.sql.change(this.table.insert(1), values);
  }
}
