import 'reflect-metadata';
import type { ModulesContainer } from '@nestjs/core';
import type { MigrationInterface } from 'typeorm';

/** A migration class of TypeORM. */
export type MigrationClass = new () => MigrationInterface;

const MIGRATIONS = Symbol('migrations');

/** On a module that owns tables: names their migrations. */
export function Migrations(...migrations: MigrationClass[]): ClassDecorator {
  return (module) => Reflect.defineMetadata(MIGRATIONS, migrations, module);
}

/** The migrations of all modules of this application. */
export function migrationsOf(modules: ModulesContainer): MigrationClass[] {
  return [...modules.values()].flatMap(
    ({ metatype }) => (Reflect.getMetadata(MIGRATIONS, metatype) as MigrationClass[] | undefined) ?? [],
  );
}
