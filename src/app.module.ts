import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/index.js';
import { PetsModule } from './pets/index.js';
import type { Settings } from './platform/config/settings.js';
import { PlatformModule } from './platform/platform.module.js';
import { StoreModule } from './store/index.js';

/** The service: the platform and one module for each area. */
@Module({})
export class AppModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(settings),
        AccessModule,
        PetsModule,
        ...(settings.storeEnabled ? [StoreModule] : []),
      ],
    };
  }
}
