import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import { Settings } from '../config/settings.js';
import { Migrations } from '../database/migrations.decorator.js';
import { Sql } from '../database/sql.js';
import { DeprecationWarning } from './deprecation/deprecation-warning.js';
import { DeprecationGuard } from './deprecation/deprecation.guard.js';
import { Sunsets } from './deprecation/deprecation.js';
import { DeprecatedList } from './deprecation/deprecated-list.js';
import { DeprecationsPage } from './docs/deprecations-page.js';
import { DocsController } from './docs/docs.controller.js';
import { PossibleErrors } from './errors/possible-errors.js';
import { IndexController } from './index.controller.js';
import { CreateStoredAnswers } from './idempotency/create-stored-answers.migration.js';
import { Purge } from './idempotency/purge.js';
import { StoredAnswers } from './idempotency/stored-answers.js';
import { Handlers } from './handlers.js';
import { Links } from './links.js';
import { Pager } from './paging/pager.js';
import { RequestLog } from './request-log/request-log.js';

/** What every module's controllers share. */
@Global()
@Migrations(CreateStoredAnswers)
@Module({
  imports: [DiscoveryModule],
  controllers: [DocsController, IndexController],
  providers: [
    { provide: Links, useFactory: (settings: Settings) => new Links(settings), inject: [Settings] },
    {
      provide: Sunsets,
      useFactory: (clock: Clock, settings: Settings) => new Sunsets(clock, settings.deprecatedOperations),
      inject: [Clock, Settings],
    },
    Handlers,
    DeprecatedList,
    DeprecationGuard,
    DeprecationsPage,
    DeprecationWarning,
    PossibleErrors,
    {
      provide: StoredAnswers,
      useFactory: (sql: Sql, clock: Clock) => new StoredAnswers(sql, clock),
      inject: [Sql, Clock],
    },
    Purge,
    Pager,
    {
      provide: RequestLog,
      useFactory: (settings: Settings) => new RequestLog(settings),
      inject: [Settings],
    },
  ],
  exports: [DeprecationGuard, StoredAnswers, Links, Pager, Sunsets],
})
export class HttpModule {}
