import { AbstractLogger } from 'typeorm';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** As the logger of a data source: records every statement that goes through TypeORM, on one line. */
export class StatementRecorder extends AbstractLogger {
  readonly statements: Statement[] = [];

  override logQuery(text: string, values: unknown[] = []): void {
    this.statements.push({ text: text.replaceAll(/\s+/g, ' '), values });
  }

  protected override writeLog(): void {}
}
