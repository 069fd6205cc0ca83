// The service that is built in the folder BUILT, with a route that takes a list of objects. SIGURG begins a measurement, a second
// SIGURG ends it and prints its figures as one line of JSON. Needs `--expose-gc`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsString, ValidateNested } from 'class-validator';

class Item {}
IsString()(Item.prototype, 'name');
IsInt()(Item.prototype, 'count');

class Items {}
Reflect.defineMetadata('design:type', Array, Items.prototype, 'items');
IsArray()(Items.prototype, 'items');
ValidateNested({ each: true })(Items.prototype, 'items');
Type(() => Item)(Items.prototype, 'items');

class ItemsController {
  add(body) {
    return { count: body.items.length };
  }
}
Controller('items')(ItemsController);
Post()(ItemsController.prototype, 'add', Object.getOwnPropertyDescriptor(ItemsController.prototype, 'add'));
Reflect.defineMetadata('design:paramtypes', [Items], ItemsController.prototype, 'add');
Body()(ItemsController.prototype, 'add', 0);

class ItemsModule {}
Module({ controllers: [ItemsController] })(ItemsModule);

const built = (file) => import(pathToFileURL(join(process.env.BUILT, file)).href);
const { AppModule, MODULES } = await built('app.module.js');
const { configureApp, makeReady } = await built('configure-app.js');
const { readSettings } = await built('platform/config/settings.js');
const { JsonExpressAdapter } = await built('platform/http/server/json-express.adapter.js');

const settings = readSettings(process.env, MODULES);
const assembled = AppModule.with(settings, { isService: true, modules: [ItemsModule, ...MODULES] });
const adapter = new JsonExpressAdapter(settings);
const app = await NestFactory.create(assembled, adapter, { bodyParser: false, logger: false });
configureApp(app);
process.once('SIGTERM', () => app.close().then(() => process.exit(0)));
await app.listen(settings.port, settings.host);
await makeReady(app);

const delay = monitorEventLoopDelay({ resolution: 1 });
const MIB = 2 ** 20;
/** The largest resident memory since it was reset, in MiB (proc(5)). */
const peakOf = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1_024;

let measurements = 0;
let begun;
process.on('SIGURG', () => {
  if (begun === undefined) {
    measurements += 1;
    globalThis.gc();
    writeFileSync('/proc/self/clear_refs', '5');
    delay.reset();
    delay.enable();
    begun = { cpu: process.cpuUsage(), memory: process.memoryUsage.rss() / MIB };
    process.stdout.write(`measuring ${measurements}\n`);
    return;
  }
  const { user, system } = process.cpuUsage(begun.cpu);
  const figures = {
    delayMs: delay.max / 1e6,
    cpuMs: (user + system) / 1e3,
    addedMiB: Math.max(0, peakOf() - begun.memory),
  };
  delay.disable();
  begun = undefined;
  process.stdout.write(`figures ${measurements} ${JSON.stringify(figures)}\n`);
});
