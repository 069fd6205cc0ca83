import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DatabaseUnavailable } from '../database/database-errors.js';
import { Sql } from '../database/sql.js';
import { Open } from '../http/open.decorator.js';
import { Readiness } from './readiness.js';

/** Answers those who watch over the process. */
@Open()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly sql: Sql,
  ) {}

  /** The process runs and answers; whether it can do any work is another question. */
  @Get('livez')
  alive() {
    return { status: 'alive' };
  }

  /** The start is over and the database answers. */
  @Get('readyz')
  async ready() {
    if (!this.readiness.isReady) throw new DatabaseUnavailable();
    await this.sql.rows('SELECT 1');
    return { status: 'ready' };
  }
}
