import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import { Settings } from '../config/settings.js';
import { Migrations } from '../database/migrations.decorator.js';
import { Sql } from '../database/sql.js';
import { CreateDeprecatedUses } from './deprecation/create-deprecated-uses.migration.js';
import { DeprecatedUses } from './deprecation/deprecated-uses.js';
import { DeprecationWarning } from './deprecation/deprecation-warning.js';
import { DeprecationGuard } from './deprecation/deprecation.guard.js';
import { Sunsets } from './deprecation/deprecation.js';
import { DeprecatedList } from './deprecation/deprecated-list.js';
import { UseCounter } from './deprecation/use-counter.js';
import { UseReport } from './deprecation/use-report.js';
import { UsesCheck } from './deprecation/uses-check.js';
import { UseWriter } from './deprecation/use-writer.js';
import { DeprecationsPage } from './docs/deprecations-page.js';
import { DocsController } from './docs/docs.controller.js';
import { PossibleErrors } from './errors/possible-errors.js';
import { IndexController } from './index.controller.js';
import { CreateStoredAnswers } from './idempotency/create-stored-answers.migration.js';
import { StoredAnswers } from './idempotency/stored-answers.js';
import { Handlers } from './handlers.js';
import { Links } from './links.js';
import { Pager } from './paging/pager.js';
import { Purge } from './purge.js';
import { RequestLog } from './request-log/request-log.js';

/** What every module's controllers share. */
@Global()
@Migrations(CreateStoredAnswers, CreateDeprecatedUses)
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
    {
      provide: DeprecatedUses,
      useFactory: (sql: Sql, clock: Clock) => new DeprecatedUses(sql, clock),
      inject: [Sql, Clock],
    },
    { provide: UseCounter, useFactory: (clock: Clock) => new UseCounter(clock), inject: [Clock] },
    {
      provide: UseWriter,
      useFactory: (counter: UseCounter, uses: DeprecatedUses) => new UseWriter(counter, uses),
      inject: [UseCounter, DeprecatedUses],
    },
    {
      provide: UseReport,
      useFactory: (list: DeprecatedList, sunsets: Sunsets, uses: DeprecatedUses) =>
        new UseReport(list, sunsets, uses),
      inject: [DeprecatedList, Sunsets, DeprecatedUses],
    },
    {
      provide: UsesCheck,
      useFactory: (list: DeprecatedList, sunsets: Sunsets, uses: DeprecatedUses, clock: Clock) =>
        new UsesCheck(list, sunsets, uses, clock),
      inject: [DeprecatedList, Sunsets, DeprecatedUses, Clock],
    },
    Pager,
    {
      provide: RequestLog,
      useFactory: (settings: Settings) => new RequestLog(settings),
      inject: [Settings],
    },
  ],
  exports: [DeprecationGuard, StoredAnswers, Links, Pager, Sunsets, UseCounter],
})
export class HttpModule {}
