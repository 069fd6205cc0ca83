import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NotReady } from '../../http/errors/api-exception.js';
import { Public } from '../../http/routes/route.decorators.js';
import { HealthCheck } from './health-check.js';

@Public()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly health: HealthCheck) {}

  /** The process is running and responds, whether or not it can serve requests. */
  @Get('livez')
  alive() {
    return { status: 'alive' };
  }

  /** Whether requests can be served. The log and `petstore doctor` contain the reason. */
  @Get('readyz')
  async ready() {
    const { refusal } = await this.health.run();
    if (refusal !== undefined) throw new NotReady(refusal);
    return { status: 'ready' };
  }
}
