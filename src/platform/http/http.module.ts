import { Global, Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Settings } from '../config/settings.js';
import { DeprecationInterceptor } from './deprecation/deprecation.interceptor.js';
import { Sunsets } from './deprecation/deprecation.js';
import { IndexController } from './index.controller.js';
import { Links } from './links.js';
import { Pager } from './paging/pager.js';

/** What every module's controllers share. */
@Global()
@Module({
  controllers: [IndexController],
  providers: [
    { provide: Links, useFactory: (settings: Settings) => new Links(settings), inject: [Settings] },
    {
      provide: Sunsets,
      useFactory: (clock: Clock, settings: Settings) => new Sunsets(clock, settings.deprecatedOperations),
      inject: [Clock, Settings],
    },
    DeprecationInterceptor,
    Pager,
  ],
  exports: [DeprecationInterceptor, Links, Pager, Sunsets],
})
export class HttpModule {}
