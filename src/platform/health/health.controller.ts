import { Controller, Get, Req, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { NotReady } from '../http/errors/api-exception.js';
import { Public } from '../http/route.decorators.js';
import { HealthCheck } from './health-check.js';
import { Operators } from './readiness.js';

@Public()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly health: HealthCheck,
    private readonly operators: Operators,
  ) {}

  /** The process runs and answers, whether or not it can do any work. */
  @Get('livez')
  alive() {
    return { status: 'alive' };
  }

  /** Whether requests can be served. Operators learn why not, and that only changes cannot. */
  @Get('readyz')
  async ready(@Req() request: Request) {
    const { refusal, reason } = await this.health.run();
    // Operators are looked up each time, so that they are known when the database is away.
    const isOperator = await this.operators.isOperator(request);
    const reasons = reason ? [reason] : [];
    if (refusal !== undefined) throw new NotReady(refusal, isOperator ? reasons : undefined);
    if (!isOperator) return { status: 'ready' };
    return { status: reason ? 'degraded' : 'ready', reasons };
  }
}
