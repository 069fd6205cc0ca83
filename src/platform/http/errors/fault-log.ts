import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { StatementFailed } from '../../database/database-errors.js';
import { RepetitionCounter } from '../../observability/logging/repetition-counter.js';

/** Logs faults of the service: each in a line, and the first of its kind within some seconds with its stack. */
@Injectable()
export class FaultLog implements OnApplicationShutdown {
  readonly #log = new Logger('Error');
  readonly #stacks = new RepetitionCounter((kind, count) =>
    this.#log.error(`internal_error: ${count} more without a stack: ${kind}`),
  );

  write(thrown: unknown, fields: object): void {
    const kind = kindOf(thrown);
    this.#log.error(this.#stacks.add(kind) ? thrown : `internal_error: ${kind}`, fields);
  }

  onApplicationShutdown(): void {
    this.#stacks.end();
  }
}

/** The class of an error and where it was thrown, or the beginning of the statement that failed: nothing that clients vary. */
function kindOf(thrown: unknown): string {
  if (thrown instanceof StatementFailed) return `${thrown.code} from ${thrown.statement.slice(0, 60)}`;
  if (!(thrown instanceof Error)) return typeof thrown;
  const { stack = '', message } = thrown;
  return `${thrown.constructor.name} ${/at .*/.exec(stack.replace(message, ''))?.[0] ?? ''}`.trim();
}
