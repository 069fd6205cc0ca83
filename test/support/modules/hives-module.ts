import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  Post,
  Query,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsEnum,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  useContainer,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { IsInt64 } from '../rooms/http.js';

class HivesQuery {
  @IsOptional()
  @Transform(({ value }) => value === 'true')
  @IsBoolean()
  active?: boolean;

  @IsOptional()
  @Transform(({ value }: { value: string }) => value.split(','))
  @IsString({ each: true })
  colours?: string[];
}

abstract class Bee {
  @IsIn(['queen', 'worker'])
  kind!: string;

  @IsString()
  name!: string;
}
class Queen extends Bee {
  @IsInt()
  eggs!: number;
}
class Worker extends Bee {
  @IsString({ each: true })
  tasks!: string[];
}

const KINDS = {
  property: 'kind',
  subTypes: [
    { name: 'queen', value: Queen },
    { name: 'worker', value: Worker },
  ],
};

enum Wood {
  Pine = 1,
  Oak,
}

@Injectable()
class Names {
  isFree(name: string): Promise<boolean> {
    return Promise.resolve(name !== 'taken');
  }
}
@Injectable()
@ValidatorConstraint({ async: true })
class IsFreeName implements ValidatorConstraintInterface {
  constructor(private readonly names: Names) {}

  validate(name: string): Promise<boolean> {
    return this.names.isFree(name);
  }

  defaultMessage(): string {
    return '$property is taken';
  }
}

class Place {
  @Min(0)
  row!: number;

  @IsArray()
  @IsInt64({ each: true })
  serials!: bigint[];
}

class HiveBody {
  @Validate(IsFreeName)
  @IsString()
  name!: string;

  @Expose({ name: 'made_of' })
  @IsEnum(Wood)
  wood!: Wood;

  @IsObject()
  @ValidateNested()
  @Type(() => Place)
  place!: Place;

  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => Bee, { discriminator: KINDS, keepDiscriminatorProperty: true })
  bees!: (Queen | Worker)[];

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => Bee, { discriminator: KINDS, keepDiscriminatorProperty: true })
  favourite?: Queen | Worker;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Place)
  neighbours?: Map<string, Place>;
}

/** A schema like the schemas of zod and valibot: a name of at least two characters. */
const NAME_SCHEMA = {
  '~standard': {
    version: 1 as const,
    vendor: 'hives',
    validate: (value: unknown) => {
      const { name, tags = [] } = value as { name?: unknown; tags?: unknown[] };
      const issues = [
        ...(typeof name === 'string' && name.length > 1
          ? []
          : [{ message: 'Too short. Add one.', path: ['name'] }]),
        ...tags.flatMap((tag, i) =>
          typeof tag === 'string' ? [] : [{ message: 'Invalid input', path: [{ key: 'tags' }, i] }],
        ),
      ];
      return issues.length > 0 ? { issues } : { value: { name: String(name).trim(), tags } };
    },
  },
};

/** Features of class-validator, class-transformer and Nest 12 for DTOs for which this service has no decorator. */
@Controller('hives')
class HivesController {
  @Get()
  list(@Query() query: HivesQuery) {
    return query;
  }

  @Post()
  add(@Body() hive: HiveBody) {
    const { bees, neighbours, ...rest } = hive;
    return {
      ...rest,
      bees: bees.map((bee) => [bee.constructor.name, bee]),
      isMap: neighbours instanceof Map,
    };
  }

  @Post('named')
  name(@Body({ schema: NAME_SCHEMA }) body: object) {
    return body;
  }

  @Get('named')
  named(@Query({ schema: NAME_SCHEMA }) query: object) {
    return query;
  }
}

@Module({ controllers: [HivesController], providers: [Names, IsFreeName] })
export class HivesModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    const own = { get: (type: Function) => this.modules.get(type as typeof IsFreeName, { strict: false }) };
    useContainer(own as Parameters<typeof useContainer>[0], { fallback: true, fallbackOnErrors: true });
  }

  /** Resets the container, because other services of this process do not use this module. */
  onApplicationShutdown(): void {
    useContainer({ get: () => undefined as never }, { fallback: true });
  }
}
