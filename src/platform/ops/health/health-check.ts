import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { DatabaseUnavailable, reasonOf } from '../../database/errors.js';
import { ApiException } from '../../http/errors/api-exception.js';
import { Metrics } from '../../observability/metrics/metrics.js';
import { type ReadinessProblem, Readiness } from './readiness.js';

/** The result of a check. `refusal` is the error that requests would get; undefined if the service is ready. */
interface Health {
  readonly refusal?: unknown;
  readonly isReadOnly: boolean;
}

/** Checks whether the service can work, for `/readyz` and for the metrics, which must agree. */
@Injectable()
export class HealthCheck {
  constructor(
    private readonly readiness: Readiness,
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.queriedGauge('petstore_ready', 'Whether /readyz reports ready.', async (gauge) =>
      gauge.set(Number((await this.run()).refusal === undefined)),
    );
    metrics.queriedGauge(
      'petstore_database_read_only',
      'Whether the database refused the latest change while it could be read.',
      async (gauge) => gauge.set(Number((await this.run()).isReadOnly)),
    );
  }

  /**
   * Checks that the start is over, that the service is not stopping, and that the database responds in time. It takes a second at
   * most.
   */
  async run(): Promise<Health> {
    const { readiness, database } = this;
    if (readiness.isStopping) return this.#notReady(STOPPING, new ApiException('shutting_down'));
    if (!readiness.isReady) return this.#notReady(database.waitingFor ?? STARTING);
    try {
      const lacking = await database.probe();
      if (lacking.length > 0) {
        // Migrations that this version needs were reverted, or the database was replaced.
        const message = `${database.name} has lost ${lacking.join(', ')}; run "petstore db migrate", or start the older version.`;
        return this.#notReady({ code: 'migrations_missing', message });
      }
    } catch (refusal) {
      const message = `${database.name} does not answer (${reasonOf(refusal)}).`;
      return this.#notReady({ code: 'database_unavailable', message }, refusal);
    }
    const { refusedChange } = database;
    if (refusedChange === undefined) readiness.foundNothing();
    else {
      const message = `${database.name} accepts no writes (${refusedChange}). Reads still work.`;
      readiness.found({ code: 'database_read_only', message });
    }
    return { isReadOnly: refusedChange !== undefined };
  }

  #notReady(problem: ReadinessProblem, refusal: unknown = new DatabaseUnavailable()): Health {
    this.readiness.found(problem);
    return { refusal, isReadOnly: false };
  }
}

const STOPPING = { code: 'stopping', message: 'The process was told to stop.' };
const STARTING = { code: 'starting', message: 'The start is not over.' };
