// NestJS as in its documentation: an entity and its Repository, DTOs and the ValidationPipe, a guard. Responses write
// integers beyond 2^53 as strings; in request bodies integers are exact up to 2^53.
import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { announce, PORT } from '../shared.js';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(PORT), '127.0.0.1');
announce(app.getHttpServer(), () => app.close());
