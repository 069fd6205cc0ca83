import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AccessModule } from './access/index.js';
import { PetsModule } from './pets/index.js';
import type { Settings } from './platform/config/settings.js';
import { PlatformModule } from './platform/platform.module.js';
import { StoreModule } from './store/index.js';

/** The modules of the service. */
export const MODULES: readonly (Type | DynamicModule)[] = [
  // One line for each.
  AccessModule,
  PetsModule,
  StoreModule,
];

/** The service: the platform and one module for each area. */
@Module({})
export class AppModule {
  static with(settings: Settings, modules = MODULES): DynamicModule {
    const wanted = modules.filter((module) => settings.storeEnabled || module !== StoreModule);
    return { module: AppModule, imports: [PlatformModule.with(settings), ...wanted] };
  }
}
