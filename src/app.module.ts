import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessModule, BearerGuard } from './access/index.js';
import { PetFilesModule } from './pet-files/index.js';
import { PetsModule } from './pets/index.js';
import type { Settings } from './platform/config/settings.js';
import { BodyReader } from './platform/http/body/body-reader.js';
import { RemovedOperationGuard } from './platform/http/deprecation/removed-operation.guard.js';
import { ErrorFilter } from './platform/http/errors/error.filter.js';
import { NonHttpGuard } from './platform/http/routes/non-http.guard.js';
import { QueryParametersGuard } from './platform/http/validation/query-parameters.guard.js';
import { RouteRecorder } from './platform/http/routes/route-recorder.js';
import { DtoValidationPipe } from './platform/http/validation/validation.pipe.js';
import { PlatformModule } from './platform/platform.module.js';
import { StoreModule } from './store/index.js';

/** The modules of the service. */
export const MODULES: readonly (Type | DynamicModule)[] = [
  // Each module has a line of its own, because the generator adds lines.
  AccessModule,
  PetsModule,
  PetFilesModule,
  StoreModule,
];

/** Nest calls these as guards, in this order, which is also the order of the checks. */
const GUARDS = [
  RouteRecorder,
  NonHttpGuard,
  BearerGuard,
  RemovedOperationGuard,
  QueryParametersGuard,
  BodyReader,
];

/** These apply to every handler. Guards, pipes and filters that modules provide as APP_GUARD and so on run after them. */
const AROUND_HANDLERS: Provider[] = [
  ...GUARDS.map((guard) => ({ provide: APP_GUARD, useExisting: guard })),
  { provide: APP_PIPE, useExisting: DtoValidationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];

/** The service: the platform and one module for each area. */
@Module({})
export class AppModule {
  /** `isService`: true in the service, which runs jobs. False in a command, which only uses the parts of the service. */
  static with(
    settings: Settings,
    { modules = MODULES, isService = false }: { modules?: typeof MODULES; isService?: boolean } = {},
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.with(settings, isService), ...modules],
      providers: AROUND_HANDLERS,
    };
  }
}
