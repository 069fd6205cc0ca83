import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import type { ValuesOf, Variables } from './variables.js';

/** The settings of a module: a class that extends what `moduleSettings` makes. */
export type ModuleSettings = Type<object> & { readonly variables: Variables };

export type SettingsFeature = DynamicModule & { readonly settings: ModuleSettings };

/**
 * Makes the base class of a module's settings, which are declared like the settings of the service. The name of a new variable
 * begins with the name of the module. Its kind has a `desc`, a sentence for operators, which `npm run document` writes to
 * .env.example.
 */
export function moduleSettings<const Given extends Variables>(variables: Given) {
  class SettingsOfModule {
    static readonly variables = variables;
    constructor(values: ValuesOf<Given>) {
      Object.assign(this, values);
    }
  }
  return SettingsOfModule as unknown as {
    readonly variables: Given;
    new (values: ValuesOf<Given>): ValuesOf<Given>;
  };
}

/** The settings that modules of the service declare. @throws Error if two of them declare the same variable */
export function settingsOfModules(modules: readonly object[]): ModuleSettings[] {
  const settings = modules.flatMap((module) => {
    const imports = (Reflect.getMetadata('imports', module) ?? []) as Partial<SettingsFeature>[];
    return imports.flatMap((feature) => feature.settings ?? []);
  });
  const names = settings.flatMap(({ variables }) => Object.values(variables).map(([name]) => name));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${twice} is declared twice.`);
  return settings;
}
