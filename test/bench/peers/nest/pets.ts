import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  NotFoundException,
  type OnModuleInit,
  Param,
  ParseIntPipe,
  Post,
  Query,
  UnauthorizedException,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNumberString, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { Request } from 'express';
import { Column, Entity, LessThan, PrimaryColumn, Repository } from 'typeorm';
import { isKnown, type PetStatus, STATUSES } from '../store.js';

@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    if (!isKnown(authorization)) throw new UnauthorizedException();
    return true;
  }
}

export class ListPetsDto {
  @IsOptional()
  @IsIn(STATUSES)
  status?: PetStatus;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsNumberString({ no_symbols: true })
  before?: string;
}

export class NewPetDto {
  @IsString()
  @Length(1, 255)
  name!: string;

  @IsInt()
  @Min(Number.MIN_SAFE_INTEGER)
  @Max(Number.MAX_SAFE_INTEGER)
  categoryId!: number;

  @IsIn(STATUSES)
  status: PetStatus = 'available';
}

@Entity('pets')
export class Pet {
  @PrimaryColumn('bigint')
  id!: number | string;

  @Column('varchar')
  name!: string;

  @Column('bigint', { name: 'category_id' })
  categoryId!: number | string;

  @Column('varchar')
  status!: PetStatus;
}

@Injectable()
export class PetsService implements OnModuleInit {
  #lastId = 0;

  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {}

  async onModuleInit(): Promise<void> {
    this.#lastId = Number(await this.pets.maximum('id' as never));
  }

  list({ status, limit, before }: ListPetsDto): Promise<Pet[]> {
    return this.pets.find({
      where: { ...(status && { status }), ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** `insert` instead of `save`, which would first query whether the id exists. */
  async add({ name, categoryId, status }: NewPetDto): Promise<Pet> {
    const pet = { id: ++this.#lastId, name, categoryId, status };
    await this.pets.insert(pet);
    return pet;
  }

  async get(id: number): Promise<Pet> {
    const pet = await this.pets.findOneBy({ id });
    if (!pet) throw new NotFoundException();
    return pet;
  }
}

@Controller('pets')
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  list(@Query() query: ListPetsDto) {
    return this.pets.list(query);
  }

  @Post()
  add(@Body() body: NewPetDto) {
    return this.pets.add(body);
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number) {
    return this.pets.get(id);
  }
}
