// Issues API keys like `petstore keys issue`, in one process because a thousand starts of that command would take long:
//   DATABASE_URL=... node test/bench/keys.mjs 1000
// Prints the secrets, one per line.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ApiKeyService } from '../../dist/access/index.js';
import { AppModule, MODULES } from '../../dist/app.module.js';
import { readSettings } from '../../dist/platform/config/settings.js';
import { Database } from '../../dist/platform/database/database.js';

const assembled = AppModule.with(readSettings(process.env, MODULES));
const app = await NestFactory.createApplicationContext(assembled, { logger: ['warn', 'error'] });
await app.get(Database).open({ waitForServer: false });
const keys = app.get(ApiKeyService);
for (let i = 1; i <= Number(process.argv[2]); i++) {
  const { secret } = await keys.issue({ name: `bench ${i}` }, 'live', 'benchmark');
  console.log(secret);
}
await app.close();
