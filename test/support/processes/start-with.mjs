import { NestFactory } from '@nestjs/core';
import { AppModule, MODULES } from '../../../dist/app.module.js';
import { configureApp, makeReady } from '../../../dist/configure-app.js';
import { readSettings } from '../../../dist/platform/config/settings.js';
import { JsonExpressAdapter } from '../../../dist/platform/http/server/json-express.adapter.js';
import { PinoLog } from '../../../dist/platform/observability/logging/pino-log.js';
import { welcome } from '../../../dist/platform/ops/process/welcome.js';

export async function startWith(module) {
  const settings = readSettings(process.env, MODULES);
  const app = await NestFactory.create(
    { module: class All {}, imports: [AppModule.with(settings, { isService: true }), module] },
    new JsonExpressAdapter(settings),
    { bodyParser: false, logger: new PinoLog('warn', process.stderr) },
  );
  configureApp(app);
  process.once('SIGTERM', () => app.close().then(() => process.exit(0)));
  await app.listen(settings.port, settings.host);
  process.stdout.write(welcome(settings, await app.getUrl(), await makeReady(app)));
}
