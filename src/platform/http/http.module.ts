import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../database/migrations/migrations.decorator.js';
import { Metrics } from '../observability/metrics/metrics.js';
import { watchDeprecations, watchRequests } from '../observability/metrics/request-metrics.js';
import { BodyMemory, quarterOfHeap } from './body/body-memory.js';
import { DeprecationInterceptor } from './deprecation/deprecated.decorator.js';
import { Deprecations } from './deprecation/deprecation.js';
import { ErrorCatalogue } from './errors/error-catalogue.js';
import { IndexController } from './openapi/index.controller.js';
import { CreateStoredAnswers } from './idempotency/create-stored-answers.migration.js';
import { IdempotencyStore, StoredResponseSchema } from './idempotency/idempotency-store.js';
import { InputGuard } from './input.guard.js';
import { Links } from './links.js';
import { ApiDocument } from './openapi/api-document.js';
import { Site } from './openapi/site.js';
import { OtherHandlers } from './other-handlers.js';
import { RouteGuard, Routes } from './routes.js';
import { DeclaredScopes } from './scopes.js';
import type { JsonExpressAdapter } from './server/json-express.adapter.js';
import { DtoValidationPipe } from './validation/validation.pipe.js';

/** What guards, pipes and interceptors of modules need, too. */
const FOR_ALL = [
  DeclaredScopes,
  Deprecations,
  DtoValidationPipe,
  ErrorCatalogue,
  IdempotencyStore,
  InputGuard,
  Links,
  RouteGuard,
  Routes,
];

const BODY_MEMORY = { provide: BodyMemory, useFactory: () => new BodyMemory(quarterOfHeap()) };

@Global()
@Migrations(CreateStoredAnswers)
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([StoredResponseSchema])],
  controllers: [IndexController],
  providers: [...FOR_ALL, BODY_MEMORY, ApiDocument, DeprecationInterceptor, OtherHandlers, Site],
  exports: [...FOR_ALL, BODY_MEMORY],
})
export class HttpModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly routes: Routes,
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
  ) {}

  onModuleInit(): void {
    const adapter = this.host.httpAdapter as JsonExpressAdapter | undefined;
    // A command has no server.
    if (!adapter) return;
    const headers = this.routes.all().map((route) => route.headers);
    adapter.cors?.allow({
      request: headers.flatMap(({ request }) => request),
      response: headers.flatMap(({ response }) => response),
    });
    watchRequests(this.metrics, () => adapter.admission.count);
    const sunsets = this.routes
      .all()
      .flatMap(({ operation, deprecation }) =>
        deprecation ? [[operation, Date.parse(deprecation.sunset)] as const] : [],
      );
    watchDeprecations(this.metrics, new Map(sunsets));
  }
}
