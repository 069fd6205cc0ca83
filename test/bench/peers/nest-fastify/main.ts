// NestJS written by the advice of its chapter on performance: on Fastify, with hand-written SQL in a provider, the guard,
// DTOs and ValidationPipe of the peer `nest`, and no interceptor. Integers are exact in responses; in request bodies up to
// 2^53.
import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { announce, MAX_BODY_BYTES, PORT } from '../shared.js';
import type { PetStore } from '../store/pet-store.js';
import { AppModule } from './app.module.js';
import { PET_STORE } from './pets.controller.js';

const adapter = new FastifyAdapter({ logger: false, bodyLimit: MAX_BODY_BYTES });
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, { logger: ['error'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(PORT), '127.0.0.1');
announce(app.getHttpServer(), () => app.get<PetStore>(PET_STORE).close());
