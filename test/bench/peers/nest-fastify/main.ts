// NestJS as somebody writes it who has read its chapter on performance: on Fastify, with SQL by hand in a provider, the
// guard, the DTOs and the ValidationPipe of the other one, and no interceptor. Integers are exact in answers; in bodies to
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
