import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DATABASE_URL, DB_POOL_SIZE } from '../shared.js';
import { KeyGuard } from './key.guard.js';
import { Pet } from './pet.entity.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'mysql',
      url: DATABASE_URL,
      charset: 'utf8mb4',
      poolSize: Number(DB_POOL_SIZE),
      bigNumberStrings: false,
      entities: [Pet],
    }),
    TypeOrmModule.forFeature([Pet]),
  ],
  controllers: [PetsController],
  providers: [PetsService, { provide: APP_GUARD, useClass: KeyGuard }],
})
export class AppModule {}
