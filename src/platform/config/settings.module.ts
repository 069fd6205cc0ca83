import { Module } from '@nestjs/common';
import type { ModuleSettings, SettingsFeature } from './module-settings.js';
import { Settings } from './settings.js';

/** Provides the settings of a module by their class, like Nest's `ConfigModule.forFeature`. */
@Module({})
export class SettingsModule {
  static forFeature(settings: ModuleSettings): SettingsFeature {
    const provider = {
      provide: settings,
      useFactory: ({ modules }: Settings) => modules.get(settings),
      inject: [Settings],
    };
    return { module: SettingsModule, settings, providers: [provider], exports: [settings] };
  }
}
