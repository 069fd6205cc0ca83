import { existsSync } from 'node:fs';
import type { DynamicModule, Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { AppModule, MODULES } from '../../src/app.module.js';
import { readSettings } from '../../src/platform/config/settings.js';
import type { Entity } from '../../src/platform/database/data-source-options.js';
import { JoiningDataSource } from '../../src/platform/database/units/data-source.js';
import {
  type MigrationClass,
  migrationsOf,
} from '../../src/platform/database/migrations/migrations.decorator.js';
import { Refusal } from './refusal.js';

/** The tables of the service, as its modules declare them. */
export interface ServiceTables {
  readonly entities: readonly Entity[];
  readonly migrations: MigrationClass[];
  /** The entities of each module, by its class. They may refer to entities of other modules. */
  readonly byModule: ReadonlyMap<string, readonly Entity[]>;
}

/** Entities have the types of MySQL until a data source is made for SQLite. Nothing connects to this URL. */
const MYSQL = 'mysql://nobody@127.0.0.1/nothing';

/** Assembles the service with these modules. It does not read the environment, and does not open the database. */
export async function serviceTables(
  modules: readonly (Type | DynamicModule)[] = MODULES,
): Promise<ServiceTables> {
  const settings = readSettings({ DATABASE_URL: MYSQL }, modules);
  const app = await NestFactory.createApplicationContext(AppModule.with(settings, { modules }), {
    logger: false,
    abortOnError: false,
  });
  try {
    const assembled = app.get(ModulesContainer);
    const entities = Object.values(app.get(JoiningDataSource).options.entities ?? []) as Entity[];
    const byModule = new Map<string, Entity[]>();
    for (const { metatype, imports } of assembled.values()) {
      const features = [...imports].filter((imported) => imported.metatype === TypeOrmModule);
      const own = entities.filter((entity) =>
        features.some(({ providers }) => providers.has(getRepositoryToken(entity))),
      );
      if (own.length > 0) byModule.set(metatype.name, own);
    }
    return { entities, migrations: migrationsOf(assembled), byModule };
  } finally {
    await app.close();
  }
}

/** A module with tables, and its file. */
export interface ModuleFile {
  /** `pets` */
  readonly name: string;
  /** `src/pets/pets.module.ts` */
  readonly file: string;
  readonly entities: readonly Entity[];
}

/** The modules with tables whose files follow the convention: `PetsModule` in `src/pets/pets.module.ts`. @throws Refusal */
export function moduleFiles({ byModule }: ServiceTables): ModuleFile[] {
  return [...byModule].flatMap(([className, entities]) => {
    const name = className
      .replace(/Module$/, '')
      .replaceAll(/(?<!^)([A-Z])/g, '-$1')
      .toLowerCase();
    const candidates = [`src/${name}/${name}.module.ts`, `src/platform/${name}/${name}.module.ts`];
    const [file, other] = candidates.filter(existsSync);
    if (other !== undefined)
      throw new Refusal(`${className} may be in ${file} or in ${other}. Give one of them another name.`);
    return file === undefined ? [] : { name, file, entities };
  });
}
