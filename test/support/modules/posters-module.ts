import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestModule,
  Post,
  Query,
  Res,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsArray, IsObject, IsString, ValidateNested } from 'class-validator';
import express, { type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Idempotent, type Once, Paged, PageQuery, type Paging } from '../../../src/platform/http/index.js';

/** The interceptor of Nest's documentation. */
class TransformInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<object> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

/** A decorator as teams write them: it replaces the handler with another function, which has another name. */
const Logged = (): MethodDecorator => (_target, _name, descriptor) => {
  const handler = descriptor.value as unknown as (...values: unknown[]) => unknown;
  descriptor.value = async function (this: unknown, ...values: unknown[]) {
    return handler.apply(this, values);
  } as never;
};

class PosterBody {
  @ApiProperty({ example: 'Lost: one cat' })
  @IsString()
  title!: string;
}

class CaptionBody {
  @ApiProperty({ example: 'It is black.' })
  @IsString()
  text!: string;

  @ApiProperty({ type: () => [CaptionBody] })
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CaptionBody)
  below!: CaptionBody[];
}

class ListPostersQuery extends PageQuery {}

@Controller('posters')
class PostersController {
  readonly #views = { count: 0 };

  @Get()
  @UseInterceptors(TransformInterceptor)
  list(@Query() query: ListPostersQuery, @Paged() page: Paging) {
    const read = async () => ({ items: [{ id: 2n ** 53n + 1n }], next: undefined });
    return page(query, read, (poster) => poster);
  }

  @Post()
  @UseInterceptors(TransformInterceptor)
  add(@Body() { title }: PosterBody, @Idempotent() once: Once) {
    return once(() => ({ id: 2n ** 53n + 1n, title }));
  }

  @Post('views')
  view(@Body() _body: PosterBody, @Idempotent() once: Once) {
    return once(() => {
      this.#views.count += 1;
      return this.#views;
    });
  }

  @Get('views')
  views() {
    return this.#views;
  }

  @Get('file')
  file(@Query('name') name: string) {
    return new StreamableFile(Buffer.from('hello'), { disposition: `attachment; filename="${name}"` });
  }

  @Get('missing')
  missing() {
    return new StreamableFile(createReadStream('no-such-poster.pdf'), { disposition: 'attachment' });
  }

  @Get('missing-as-told')
  missingAsTold() {
    return new StreamableFile(createReadStream('no-such-poster.pdf')).setErrorHandler((_error, response) => {
      response.statusCode = 404;
      response.send('Not here.');
    });
  }

  @Get('cut')
  cut() {
    const parts = Readable.from(
      (function* () {
        yield 'half of it';
        throw new Error('the disk is gone');
      })(),
    );
    return new StreamableFile(parts);
  }

  @Get('framed')
  framed(@Res({ passthrough: true }) response: Response) {
    response.setHeader('X-Frame-Options', 'SAMEORIGIN').removeHeader('Referrer-Policy');
    return {};
  }

  @Get('logged')
  @Logged()
  loggedGet(@Query('name') name: string) {
    return { name };
  }

  @Post('logged')
  @Logged()
  loggedPost(@Body() body: PosterBody) {
    return body;
  }

  @Post('captions')
  caption(@Body() body: CaptionBody) {
    return body;
  }

  @Post('forms')
  form(@Body() body: PosterBody) {
    return body;
  }

  @Post('scans')
  scan(@Body() scan: Buffer) {
    return { length: scan.length };
  }
}

/** Files, forms, headers and interceptors. */
@Module({ controllers: [PostersController] })
export class PostersModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(express.urlencoded()).forRoutes('v1/posters/forms');
    consumer.apply(express.raw({ type: 'image/png' })).forRoutes('v1/posters/scans');
  }
}
