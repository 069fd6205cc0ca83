// NestJS written by the advice of its chapter on performance: on Fastify, with hand-written SQL in a provider, the guard,
// DTOs and ValidationPipe of the peer `nest`, and no interceptor. Integers are exact in responses; in request bodies up to
// 2^53.
import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Header,
  Inject,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { KeyGuard, ListPetsDto, NewPetDto } from './nest/pets.js';
import { announce, isId, JSON_TYPE, MAX_BODY_BYTES, openStore, type PetStore, PORT } from './store.js';

const PET_STORE = Symbol('PetStore');

@Controller('pets')
class PetsController {
  constructor(@Inject(PET_STORE) private readonly store: PetStore) {}

  @Get()
  @Header('Content-Type', JSON_TYPE)
  list(@Query() { status, before, limit }: ListPetsDto) {
    return this.store.list(status, before, limit);
  }

  @Post()
  @Header('Content-Type', JSON_TYPE)
  add(@Body() { name, categoryId, status }: NewPetDto) {
    return this.store.add(name, categoryId, status);
  }

  @Get(':id')
  @Header('Content-Type', JSON_TYPE)
  async find(@Param('id') id: string) {
    const pet = isId(id) ? await this.store.find(id) : undefined;
    if (pet === undefined) throw new NotFoundException();
    return pet;
  }
}

@Module({
  controllers: [PetsController],
  providers: [
    { provide: PET_STORE, useFactory: openStore },
    { provide: APP_GUARD, useClass: KeyGuard },
  ],
})
class AppModule {}

const adapter = new FastifyAdapter({ logger: false, bodyLimit: MAX_BODY_BYTES });
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, { logger: ['error'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(PORT), '127.0.0.1');
announce(app.getHttpServer(), () => app.get<PetStore>(PET_STORE).close());
