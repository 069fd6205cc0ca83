import { createReadStream } from 'node:fs';
import {
  type ArgumentsHost,
  Body,
  type CanActivate,
  Catch,
  ConflictException,
  Controller,
  DefaultValuePipe,
  Delete,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  Redirect,
  StreamableFile,
  Version,
} from '@nestjs/common';
import { ConfigModule, ConfigService, registerAs } from '@nestjs/config';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ApiBearerAuth, ApiOperation, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsEnum, IsInt, IsISO8601, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { Request, Response } from 'express';

// A module written as in Nest's own documentation. It imports nothing of this service.

class NoRoom extends Error {}

enum Kind {
  Check = 'check',
  Vaccination = 'vaccination',
}

class VisitBody {
  @IsISO8601()
  @ApiProperty({ format: 'date-time' })
  on!: string;

  @IsEnum(Kind)
  @ApiProperty({ enum: Kind, enumName: 'VisitKind' })
  kind!: Kind;

  @IsOptional()
  @IsString()
  @MaxLength(40)
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 40 })
  note?: string | null;
}

class VisitChange {
  @IsOptional()
  @IsString()
  @ApiPropertyOptional({ type: String, nullable: true })
  note?: string | null;
}

class VisitQuery {
  @IsOptional()
  @IsEnum(Kind)
  kind?: Kind;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(50)
  rows?: number;
}

interface Visit {
  readonly id: number;
  on: Date;
  kind: Kind;
  note: string | null;
}

@Injectable()
class VisitsService {
  readonly #visits = new Map<number, Visit>();

  add({ on, kind, note = null }: VisitBody): Visit {
    const visit = { id: this.#visits.size + 1, on: new Date(on), kind, note };
    if ([...this.#visits.values()].some((other) => other.on.getTime() === visit.on.getTime()))
      throw new ConflictException('taken');
    this.#visits.set(visit.id, visit);
    return visit;
  }

  find(id: number): Visit {
    const visit = this.#visits.get(id);
    if (!visit) throw new NotFoundException('no such visit');
    return visit;
  }

  remove(id: number): void {
    this.find(id);
    this.#visits.delete(id);
  }
}

const settings = registerAs('visits', () => ({ reminderDays: 14 }));

@ApiBearerAuth()
@Controller('visits')
class VisitsController {
  constructor(
    private readonly visits: VisitsService,
    private readonly config: ConfigService,
  ) {}

  @Get('settings')
  settings() {
    return {
      reminderDays: this.config.get<number>('visits.reminderDays'),
      unset: this.config.get<string>('VISITS_NOT_SET', 'default'),
    };
  }

  @Post()
  @ApiOperation({ summary: 'Books a visit.' })
  create(@Body() body: VisitBody) {
    return this.visits.add(body);
  }

  @Get()
  search(@Query() query: VisitQuery) {
    return { ...query, isNumber: typeof query.rows === 'number' };
  }

  @Get('search')
  byNote(@Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number, @Query('note') note?: string) {
    return { note, page };
  }

  @Get('word')
  word(@Query('word') word: string) {
    return word;
  }

  @Get('counted')
  @Header('ETag', '"visits-2"')
  @Header('Cache-Control', 'private, max-age=60')
  @Header('Vary', 'Accept-Language')
  counted() {
    return { visits: 2 };
  }

  @Get('private')
  private() {
    return 'nobody reads this';
  }

  @Get('file')
  @Header('Content-Type', 'text/markdown')
  file() {
    return new StreamableFile(createReadStream('LICENSE'));
  }

  @Get('old')
  @Redirect('/v1/visits', 301)
  old() {}

  @Get('fails/room')
  fails() {
    throw new NoRoom();
  }

  @Get('newer')
  @Version('2')
  newer(@Query('depth') depth?: string) {
    return { depth };
  }

  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number) {
    return this.visits.find(id);
  }

  @Patch(':id')
  change(@Param('id', ParseIntPipe) id: number, @Body() change: VisitChange) {
    return Object.assign(this.visits.find(id), change);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id', ParseIntPipe) id: number): void {
    this.visits.remove(id);
  }
}

/** A global guard, called for every route of the service. */
@Injectable()
export class PrivateGuard implements CanActivate {
  readonly asked: string[] = [];

  canActivate(context: ExecutionContext): boolean {
    const { url } = context.switchToHttp().getRequest<Request>();
    this.asked.push(url);
    return !url.endsWith('/private');
  }
}

@Catch(NoRoom)
class NoRoomFilter implements ExceptionFilter {
  catch(_: NoRoom, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(409).json({ rooms: 0 });
  }
}

@Module({
  imports: [ConfigModule.forFeature(settings)],
  controllers: [VisitsController],
  providers: [
    VisitsService,
    PrivateGuard,
    { provide: APP_GUARD, useExisting: PrivateGuard },
    { provide: APP_FILTER, useClass: NoRoomFilter },
  ],
})
export class VisitsModule {}
