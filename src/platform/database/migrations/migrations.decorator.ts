import 'reflect-metadata';
import type { ModulesContainer } from '@nestjs/core';
import type { MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

const MIGRATIONS = Symbol('migrations');

/** Lists the migrations of the tables that a module owns. */
export function Migrations(...migrations: MigrationClass[]): ClassDecorator {
  return (module) => Reflect.defineMetadata(MIGRATIONS, migrations, module);
}

export const migrationsOfModule = (module: object): MigrationClass[] =>
  (Reflect.getMetadata(MIGRATIONS, module) as MigrationClass[] | undefined) ?? [];

export const migrationsOf = (modules: ModulesContainer): MigrationClass[] =>
  [...modules.values()].flatMap(({ metatype }) => migrationsOfModule(metatype));
