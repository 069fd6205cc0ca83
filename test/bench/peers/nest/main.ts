// NestJS as in its documentation: an entity and its Repository, DTOs and the ValidationPipe, a guard. Responses write
// integers beyond 2^53 as strings; in request bodies integers are exact up to 2^53.
import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { announce, DATABASE_URL, DB_POOL_SIZE, PORT } from '../store.js';
import { KeyGuard, Pet, PetsController, PetsService } from './pets.js';

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
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(PORT), '127.0.0.1');
announce(app.getHttpServer(), () => app.close());
