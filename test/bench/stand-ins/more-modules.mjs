// Takes the place of the built app.module.js (`levers.ts`): a service in which the modules of MORE_MODULES teams come before its
// own, each with five routes.
import { Controller, Delete, Get, Module, Param, Patch, Post } from '@nestjs/common';
import { AppModule as Service, MODULES as OWN } from '../../../dist/app.module.js';

function moduleOf(path) {
  class Things {
    list() {
      return [];
    }
    add() {
      return {};
    }
    get() {
      return {};
    }
    change() {
      return {};
    }
    remove() {}
  }
  const routes = { list: Get(), add: Post(), get: Get(':id'), change: Patch(':id'), remove: Delete(':id') };
  for (const [name, route] of Object.entries(routes)) {
    Reflect.decorate(
      [route],
      Things.prototype,
      name,
      Object.getOwnPropertyDescriptor(Things.prototype, name),
    );
    if (name !== 'list' && name !== 'add') Param('id')(Things.prototype, name, 0);
  }
  Controller(path)(Things);
  class ThingsModule {}
  Module({ controllers: [Things] })(ThingsModule);
  return ThingsModule;
}

const more = Array.from({ length: Number(process.env.MORE_MODULES) }, (_, i) => moduleOf(`things-${i + 1}`));

export const MODULES = [...more, ...OWN];

export class AppModule extends Service {
  static with(settings, options) {
    return super.with(settings, { modules: MODULES, ...options });
  }
}
