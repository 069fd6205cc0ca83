// The built service in which the modules of MORE_MODULES teams come before its own, each with five routes.
import { Controller, Delete, Get, Module, Param, Patch, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule, MODULES } from '../../dist/app.module.js';
import { configureApp, makeReady } from '../../dist/configure-app.js';
import { readSettings } from '../../dist/platform/config/settings.js';
import { JsonExpressAdapter } from '../../dist/platform/http/server/json-express.adapter.js';

function moduleOf(path) {
  class Things {}
  const routes = { list: Get(), add: Post(), get: Get(':id'), change: Patch(':id'), remove: Delete(':id') };
  for (const [name, route] of Object.entries(routes)) {
    Things.prototype[name] = () => ({});
    route(Things.prototype, name, Object.getOwnPropertyDescriptor(Things.prototype, name));
    if (name !== 'list' && name !== 'add') Param('id')(Things.prototype, name, 0);
  }
  Controller(path)(Things);
  class ThingsModule {}
  Module({ controllers: [Things] })(ThingsModule);
  return ThingsModule;
}

const more = Array.from({ length: Number(process.env.MORE_MODULES) }, (_, i) => moduleOf(`things-${i + 1}`));
const settings = readSettings(process.env, MODULES);
const assembled = AppModule.with(settings, { isService: true, modules: [...more, ...MODULES] });
const adapter = new JsonExpressAdapter(settings);
const app = await NestFactory.create(assembled, adapter, { bodyParser: false, logger: false });
configureApp(app);
process.once('SIGTERM', () => app.close().then(() => process.exit(0)));
await app.listen(settings.port, settings.host);
await makeReady(app);
