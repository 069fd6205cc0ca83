import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../database/migrations/migrations.decorator.js';
import { CreateDeprecatedUses } from './deprecation/create-deprecated-uses.migration.js';
import { DailyUsageRepository, DailyUsageSchema } from './deprecation/daily-usage-repository.js';
import { BodyGuard } from './body/body.guard.js';
import { DeprecatedOperations } from './deprecation/deprecated-operations.js';
import { DeprecationPolicy } from './deprecation/deprecation.js';
import { DeprecationHeaders } from './deprecation/deprecation-headers.js';
import { DeprecationsCheck } from './deprecation/deprecations-check.js';
import { SunsetGuard } from './deprecation/sunset.guard.js';
import { UsageRecorder } from './deprecation/usage-recorder.js';
import { UsageReport } from './deprecation/usage-report.js';
import { DeprecationsPage } from './docs/deprecations-page.js';
import { DocsController } from './docs/docs.controller.js';
import { PossibleErrors } from './errors/possible-errors.js';
import { IndexController } from './index.controller.js';
import { CreateStoredAnswers } from './idempotency/create-stored-answers.migration.js';
import { Idempotency } from './idempotency/idempotency.js';
import { StoredResponseSchema } from './idempotency/stored-response.schema.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { Handlers } from './handlers.js';
import { Links } from './links.js';
import { Pager } from './paging/pager.js';
import { Purge } from './purge.js';
import { DtoValidationPipe } from './validation/validation.pipe.js';
import { RequestLog } from '../observability/logging/request-log.js';

/** What every module's controllers share. */
@Global()
@Migrations(CreateStoredAnswers, CreateDeprecatedUses)
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([StoredResponseSchema, DailyUsageSchema])],
  controllers: [DocsController, IndexController],
  providers: [
    Links,
    Handlers,
    BodyGuard,
    DtoValidationPipe,
    DeprecationPolicy,
    DeprecationHeaders,
    DeprecatedOperations,
    DeprecationsPage,
    DeprecationsCheck,
    SunsetGuard,
    UsageRecorder,
    UsageReport,
    PossibleErrors,
    IdempotencyStore,
    Idempotency,
    Purge,
    DailyUsageRepository,
    Pager,
    RequestLog,
  ],
  exports: [DeprecationPolicy, DeprecationHeaders, Idempotency, Links, Pager],
})
export class HttpModule {}
