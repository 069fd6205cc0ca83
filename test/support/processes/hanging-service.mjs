// The built service plus a route whose handler never ends. Started by the tests of what hangs.
import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppModule, MODULES } from '../../../dist/app.module.js';
import { configureApp, makeReady } from '../../../dist/configure-app.js';
import { readSettings } from '../../../dist/platform/config/settings.js';
import { Public } from '../../../dist/platform/http/route.decorators.js';
import { JsonExpressAdapter } from '../../../dist/platform/http/server/json-express.adapter.js';
import { welcome } from '../../../dist/platform/ops/process/welcome.js';

class HangController {
  get() {
    return new Promise(() => undefined);
  }
}
Get()(HangController.prototype, 'get', Object.getOwnPropertyDescriptor(HangController.prototype, 'get'));
for (const decorate of [
  Public(),
  ApiExcludeController(),
  Controller({ path: 'hang', version: VERSION_NEUTRAL }),
])
  decorate(HangController);

const settings = readSettings(process.env, MODULES);
const hanging = { module: class Hanging {}, controllers: [HangController] };
const app = await NestFactory.create(
  { module: class All {}, imports: [AppModule.with(settings, { isService: true }), hanging] },
  new JsonExpressAdapter(settings),
  { bodyParser: false, logger: false },
);
configureApp(app);
process.once('SIGTERM', () => app.close().then(() => process.exit(0)));
await app.listen(settings.port, settings.host);
process.stdout.write(welcome(settings, await app.getUrl(), await makeReady(app)));
