import { Controller, Get, Req, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import { DatabaseUnavailable } from '../database/database-errors.js';
import { ApiException, NotReady } from '../http/errors/api-exception.js';
import { Public } from '../http/route.decorators.js';
import { type NotReadyReason, Operators, Readiness } from './readiness.js';

/** Answers probes. */
@Public()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly database: Database,
    private readonly operators: Operators,
  ) {}

  /** The process runs and answers, whether or not it can do any work. */
  @Get('livez')
  alive() {
    return { status: 'alive' };
  }

  /** The start is over, the service is not stopping, and the database answers in time. */
  @Get('readyz')
  async ready(@Req() request: Request) {
    const { readiness, database } = this;
    if (readiness.isStopping) throw await this.#notReady(request, new ApiException(...STOPS), STOPPING);
    if (!readiness.isReady)
      throw await this.#notReady(request, new DatabaseUnavailable(), database.waitingFor ?? STARTING);
    try {
      await database.probe();
    } catch (error) {
      const message = `${database.name} does not answer (${messageOf(error)}).`;
      throw await this.#notReady(request, error, { code: 'database_unavailable', message });
    }
    readiness.probeSucceeded();
    // Operators are looked up now, so that they are known when the database is away.
    return (await this.operators.isOperator(request))
      ? { status: 'ready', reasons: [] }
      : { status: 'ready' };
  }

  async #notReady(request: Request, refusal: unknown, found: NotReadyReason): Promise<NotReady> {
    const reason = this.readiness.probeFailed(found);
    return new NotReady(refusal, (await this.operators.isOperator(request)) ? [reason] : undefined);
  }
}

const STOPS = ['shutting_down', 'This process is about to stop. Send requests elsewhere.'] as const;
const STOPPING: NotReadyReason = { code: 'stopping', message: 'The process was told to stop.' };
const STARTING: NotReadyReason = { code: 'starting', message: 'The start is not over.' };

function messageOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(error);
}
