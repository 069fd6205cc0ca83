import { Controller, Get, type OnModuleInit, Req, VERSION_NEUTRAL } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import { DatabaseUnavailable } from '../database/database-errors.js';
import { HttpRefusal } from '../http/errors/http-refusal.js';
import { NotReady } from '../http/errors/not-ready.js';
import { Open } from '../http/open.decorator.js';
import { DatabaseProbe } from './database-probe.js';
import { Operators } from './operators.js';
import { Readiness } from './readiness.js';
import { type Finding, ReadinessWatch } from './readiness-watch.js';

/** Answers those who watch over the process. */
@Open()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HealthController implements OnModuleInit {
  #operators!: Operators;

  constructor(
    private readonly readiness: Readiness,
    private readonly probe: DatabaseProbe,
    private readonly database: Database,
    private readonly watch: ReadinessWatch,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.#operators = this.modules.get(Operators, { strict: false });
  }

  /** The process runs and answers; whether it can do any work is another question. */
  @Get('livez')
  alive() {
    return { status: 'alive' };
  }

  /** The start is over, nobody has told the service to stop, and the database answers soon. */
  @Get('readyz')
  async ready(@Req() request: Request) {
    if (this.readiness.isStopping) {
      const refusal = new HttpRefusal(
        'shutting_down',
        'This process is about to stop. Send requests elsewhere.',
      );
      throw await this.#notReady(request, refusal, {
        code: 'stopping',
        message: 'The process was told to stop.',
      });
    }
    if (!this.readiness.isReady) {
      throw await this.#notReady(request, new DatabaseUnavailable(), this.database.waitsFor ?? STARTING);
    }
    try {
      await this.probe.answers();
    } catch (error) {
      const message = `${this.database.name} does not answer (${reasonOf(error)}).`;
      throw await this.#notReady(request, error, { code: 'database_unavailable', message });
    }
    this.watch.ready();
    // Who is told so now is told the reasons later, also when the storage of keys is what is away.
    return (await this.#operators.sent(request)) ? { status: 'ready', reasons: [] } : { status: 'ready' };
  }

  async #notReady(request: Request, refusal: unknown, finding: Finding): Promise<NotReady> {
    const reason = this.watch.notReady(finding);
    return new NotReady(refusal, (await this.#operators.sent(request)) ? [reason] : undefined);
  }
}

const STARTING: Finding = { code: 'starting', message: 'The start is not over.' };

function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(error);
}
