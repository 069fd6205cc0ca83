import type { AddressInfo } from 'node:net';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { configureApp, makeReady } from '../../src/configure-app.js';
import { Clock } from '../../src/kernel/clock.js';
import { readSettings } from '../../src/platform/config/read-settings.js';
import { JsonExpressAdapter } from '../../src/platform/http/server/json-express.adapter.js';
import { ApiClient } from './api-client.js';
import { ManualClock } from './clocks.js';
import type { ServiceDatabase } from './engines.js';

/** A running service with a database of its own, and a client that holds every answer against the document. */
export interface Service {
  readonly app: INestApplication;
  readonly port: number;
  readonly clock: ManualClock;
  readonly database: ServiceDatabase;
  /** The secret of the key that the first start made. */
  readonly secret: string;
  /** Comes with that key. */
  readonly client: ApiClient;
  /** Comes with whatever headers a test gives it. */
  readonly stranger: ApiClient;
  stop(): Promise<void>;
}

interface Wishes {
  /** As in the environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Another replica, whose database and clock this one shares. */
  readonly beside?: Service;
  /** What a test adds to the service, besides its own modules. */
  readonly modules?: NonNullable<DynamicModule['imports']>;
}

export async function startService(
  engine: { create(): Promise<ServiceDatabase> },
  { environment, modules = [], beside }: Wishes = {},
): Promise<Service> {
  const database = beside?.database ?? (await engine.create());
  const settings = readSettings({ DATABASE_URL: database.url, MIGRATE_ON_START: 'true', ...environment });
  const clock = beside?.clock ?? new ManualClock();
  const assembled = await Test.createTestingModule({ imports: [AppModule.with(settings), ...modules] })
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  const app = assembled.createNestApplication(new JsonExpressAdapter(settings), {
    bodyParser: false,
    logger: false,
  });
  configureApp(app);
  const server = (await app.listen(0, '127.0.0.1')) as { address(): AddressInfo };
  const { port } = server.address();
  const secret = (await makeReady(app)) ?? beside?.secret ?? settings.bootstrapApiKey ?? '';
  const stranger = await ApiClient.of(`http://127.0.0.1:${port}`);
  return {
    app,
    port,
    clock,
    database,
    secret,
    client: stranger.with({ Authorization: `Bearer ${secret}` }),
    stranger,
    stop: async () => {
      await app.close();
      if (!beside) await database.drop();
    },
  };
}
