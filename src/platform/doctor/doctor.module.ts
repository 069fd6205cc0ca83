import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Settings } from '../config/settings.js';
import { RedisCheck } from '../redis/redis-check.js';
import { Check } from './check.js';
import { Doctor } from './doctor.js';
import { NodeCheck } from './node-check.js';

/** Finds the checks that all modules provide. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: NodeCheck, useFactory: () => new NodeCheck() },
    {
      provide: RedisCheck,
      useFactory: ({ redisUrl }: Settings) => new RedisCheck(redisUrl),
      inject: [Settings],
    },
    {
      provide: Doctor,
      useFactory: (discovery: DiscoveryService) =>
        new Doctor(() =>
          discovery
            .getProviders()
            .map(({ instance }) => instance as unknown)
            .filter((instance) => instance instanceof Check),
        ),
      inject: [DiscoveryService],
    },
  ],
})
export class DoctorModule {}
