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

  /** The process is running and answers, whether or not it can serve requests. */
  @Get('livez')
  alive() {
    return { status: 'alive' };
  }

  /** Whether requests can be served. Operators also see the reasons, and whether only changes fail. */
  @Get('readyz')
  async ready(@Req() request: Request) {
    const { refusal, reason } = await this.health.run();
    // Checked on each call, so that operators are already cached when the database fails.
    const isOperator = await this.operators.isOperator(request);
    const reasons = reason ? [reason] : [];
    if (refusal !== undefined) throw new NotReady(refusal, isOperator ? reasons : undefined);
    if (!isOperator) return { status: 'ready' };
    return { status: reason ? 'degraded' : 'ready', reasons };
  }
}
