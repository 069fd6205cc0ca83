import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../database/migrations/migrations.decorator.js';
import { Metrics } from '../observability/metrics/metrics.js';
import { watchDeprecations, watchRequests } from '../observability/metrics/request-metrics.js';
import { BodyMemory, quarterOfHeap } from './body/body-memory.js';
import { BodyReader } from './body/body-reader.js';
import { DeprecationInterceptor } from './deprecation/deprecated.decorator.js';
import { Deprecations } from './deprecation/deprecations.js';
import { RemovedOperationGuard } from './deprecation/removed-operation.guard.js';
import { ErrorCatalogue } from './errors/error-catalogue.js';
import { IndexController } from './openapi/index.controller.js';
import { CreateStoredAnswers } from './idempotency/create-stored-answers.migration.js';
import { IdempotencyStore, StoredResponseSchema } from './idempotency/idempotency-store.js';
import { Links } from './links.js';
import { NonHttpGuard } from './routes/non-http.guard.js';
import { ApiDocument } from './openapi/api-document.js';
import { Site } from './openapi/site.js';
import { OtherHandlers } from './routes/other-handlers.js';
import { QueryParametersGuard } from './validation/query-parameters.guard.js';
import { RouteRecorder } from './routes/route-recorder.js';
import { Routes } from './routes/routes.js';
import { DeclaredScopes } from './routes/scopes.js';
import { UnreachableRoutes } from './routes/unreachable-routes.js';
import type { JsonExpressAdapter } from './server/json-express.adapter.js';
import { DtoValidationPipe } from './validation/validation.pipe.js';

/** Other modules need these, because Nest makes the guards, pipes and interceptors of a handler in the module of the handler. */
const EXPORTED = [
  BodyReader,
  DeclaredScopes,
  Deprecations,
  DtoValidationPipe,
  ErrorCatalogue,
  IdempotencyStore,
  Links,
  NonHttpGuard,
  QueryParametersGuard,
  RemovedOperationGuard,
  RouteRecorder,
  Routes,
];

const BODY_MEMORY = { provide: BodyMemory, useFactory: () => new BodyMemory(quarterOfHeap()) };

@Global()
@Migrations(CreateStoredAnswers)
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([StoredResponseSchema])],
  controllers: [IndexController],
  providers: [
    ...EXPORTED,
    BODY_MEMORY,
    ApiDocument,
    DeprecationInterceptor,
    OtherHandlers,
    Site,
    UnreachableRoutes,
  ],
  exports: [...EXPORTED, BODY_MEMORY],
})
export class HttpModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly routes: Routes,
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
  ) {}

  onModuleInit(): void {
    const adapter = this.host.httpAdapter as JsonExpressAdapter | undefined;
    // A command does not have a server.
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
