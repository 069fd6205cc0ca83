import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DatabaseUnavailable } from '../database/database-errors.js';
import { HttpRefusal } from '../http/errors/http-refusal.js';
import { Open } from '../http/open.decorator.js';
import { DatabaseProbe } from './database-probe.js';
import { Readiness } from './readiness.js';

/** Answers those who watch over the process. */
@Open()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly database: DatabaseProbe,
  ) {}

  /** The process runs and answers; whether it can do any work is another question. */
  @Get('livez')
  alive() {
    return { status: 'alive' };
  }

  /** The start is over, nobody has told the service to stop, and the database answers soon. */
  @Get('readyz')
  async ready() {
    if (this.readiness.isStopping) {
      throw new HttpRefusal('shutting_down', 'This process is about to stop. Send requests elsewhere.');
    }
    if (!this.readiness.isReady) throw new DatabaseUnavailable();
    await this.database.answers();
    return { status: 'ready' };
  }
}
