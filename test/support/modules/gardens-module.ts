import {
  All,
  Body,
  Controller,
  Get,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Post,
  Query,
  Version,
} from '@nestjs/common';
import { ApiBearerAuth, ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsPositive,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import express from 'express';

/** The usual query of a page. */
class PagedQuery {
  @Type(() => Number)
  @IsOptional()
  @IsInt()
  page = 1;

  @Transform(({ value }) => value === 'true')
  @IsOptional()
  @IsBoolean()
  desc = false;

  @IsOptional()
  @Transform(({ value }: { value: string }) => value.split(',').map(Number))
  @IsInt({ each: true })
  ids?: number[];
}

enum Soil {
  Clay = 1,
  Sand,
}

class SizeBody {
  @Min(1)
  @IsInt()
  width!: number;
}

class BedBody {
  @ApiProperty()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @MaxLength(20)
  name!: string;

  @ValidateNested()
  @Type(() => SizeBody)
  size!: SizeBody;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => SizeBody)
  parts?: SizeBody[];

  @ApiProperty()
  @IsOptional()
  @ArrayMaxSize(4)
  @ValidateNested({ each: true })
  @Type(() => SizeBody)
  gaps?: SizeBody[];

  @ApiProperty()
  @IsInt()
  @IsPositive()
  rows!: number;

  @ApiProperty({ required: false })
  @IsOptional()
  @MaxLength(9, { each: true })
  tags?: string[];

  @ApiProperty({ type: [String] })
  @IsEmail({}, { each: true })
  owners!: string[];

  @IsEnum(Soil)
  soil!: Soil;

  @ApiProperty()
  @IsDateString()
  sownOn!: string;

  @ApiProperty({ required: false })
  @IsOptional()
  @IsString()
  note?: string;
}

class FormBody {
  @IsString()
  title!: string;

  @Type(() => Number)
  @IsInt()
  rows!: number;
}

/** DTOs as class-validator's, class-transformer's and Nest's documentation have them. */
@ApiBearerAuth()
@Controller('gardens')
class GardensController {
  @Get()
  list(@Query() query: PagedQuery) {
    return query;
  }

  @Post('beds')
  add(@Body() bed: BedBody) {
    return bed;
  }

  @Post('forms')
  addForm(@Body() form: FormBody) {
    return form;
  }

  @All('any')
  any() {
    return {};
  }

  @Get('newer')
  @Version('2')
  newer(@Query('depth') depth?: string) {
    return { depth };
  }
}

@Module({ controllers: [GardensController] })
export class GardensModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(express.urlencoded({ extended: false })).forRoutes('gardens/forms');
  }
}
