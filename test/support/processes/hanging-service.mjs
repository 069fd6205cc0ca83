// The built service plus a route whose handler never ends. Started by the tests of hanging handlers.
import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../../dist/platform/http/routes/route.decorators.js';
import { startWith } from './start-with.mjs';

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

await startWith({ module: class Hanging {}, controllers: [HangController] });
