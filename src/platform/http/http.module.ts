import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import { Settings } from '../config/settings.js';
import { DeprecationWarning } from './deprecation/deprecation-warning.js';
import { DeprecationInterceptor } from './deprecation/deprecation.interceptor.js';
import { Sunsets } from './deprecation/deprecation.js';
import { IndexController } from './index.controller.js';
import { Links } from './links.js';
import { Pager } from './paging/pager.js';

/** What every module's controllers share. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [IndexController],
  providers: [
    { provide: Links, useFactory: (settings: Settings) => new Links(settings), inject: [Settings] },
    {
      provide: Sunsets,
      useFactory: (clock: Clock, settings: Settings) => new Sunsets(clock, settings.deprecatedOperations),
      inject: [Clock, Settings],
    },
    DeprecationInterceptor,
    DeprecationWarning,
    Pager,
  ],
  exports: [DeprecationInterceptor, Links, Pager, Sunsets],
})
export class HttpModule {}
