import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { KeyGuard } from '../nest/key.guard.js';
import { openStore } from '../store/open-store.js';
import { PET_STORE, PetsController } from './pets.controller.js';

@Module({
  controllers: [PetsController],
  providers: [
    { provide: PET_STORE, useFactory: openStore },
    { provide: APP_GUARD, useClass: KeyGuard },
  ],
})
export class AppModule {}
