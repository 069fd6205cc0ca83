import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { DatabaseUnavailable } from '../database/errors.js';
import { ApiException, type Reason } from '../http/errors/api-exception.js';
import { Readiness } from './readiness.js';

/** The result of a check. `refusal` is the answer that requests would get; a reason without it means that only changes fail. */
export interface Health {
  readonly refusal?: unknown;
  readonly reason?: Reason;
}

/** Checks whether the service can work, for `/readyz` and for the metrics, which must agree. */
@Injectable()
export class HealthCheck {
  constructor(
    private readonly readiness: Readiness,
    private readonly database: Database,
  ) {}

  /** The start is over, the service is not stopping, and the database answers in time. Takes at most a second. */
  async run(): Promise<Health> {
    const { readiness, database } = this;
    if (readiness.isStopping)
      return { refusal: new ApiException(...STOPS), reason: readiness.found(STOPPING) };
    if (!readiness.isReady) {
      const reason = readiness.found(database.waitingFor ?? STARTING);
      return { refusal: new DatabaseUnavailable(), reason };
    }
    try {
      const lacking = await database.probe();
      if (lacking.length > 0) return this.#withoutSchema(lacking);
    } catch (refusal) {
      const message = `${database.name} does not answer (${messageOf(refusal)}).`;
      return { refusal, reason: readiness.found({ code: 'database_unavailable', message }) };
    }
    const { refusedChange } = database;
    if (refusedChange === undefined) {
      readiness.foundNothing();
      return {};
    }
    const message = `${database.name} accepts no writes (${refusedChange}). Reads still work.`;
    return { reason: readiness.found({ code: 'database_read_only', message }) };
  }

  /** Migrations that this version needs were reverted, or this is another database. */
  #withoutSchema(lacking: readonly string[]): Health {
    const message = `${this.database.name} has lost ${lacking.join(', ')}; run "petstore db migrate", or start the older version.`;
    const reason = this.readiness.found({ code: 'migrations_missing', message });
    return { refusal: new DatabaseUnavailable(), reason };
  }
}

const STOPS = ['shutting_down', 'This process is about to stop. Send requests elsewhere.'] as const;
const STOPPING = { code: 'stopping', message: 'The process was told to stop.' } as const;
const STARTING = { code: 'starting', message: 'The start is not over.' } as const;

function messageOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(error);
}
