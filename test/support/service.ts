import type { AddressInfo } from 'node:net';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AccessModule, AccessSettings } from '../../src/access/index.js';
import { AppModule, MODULES } from '../../src/app.module.js';
import { PetsModule } from '../../src/pets/index.js';
import { configureApp, makeReady } from '../../src/configure-app.js';
import { Clock } from '../../src/kernel/clock.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { DatabaseClock } from '../../src/platform/database/index.js';
import { ApiDocument, JsonExpressAdapter } from './rooms/http.js';
import { PinoLog } from '../../src/platform/observability/logging/pino-log.js';
import { openApiDocument } from '../../tools/openapi/openapi-document.js';
import { ApiClient } from './api-client.js';
import { ManualClock } from './clocks.js';
import type { ServiceDatabase } from './engines.js';
import { logTo } from './logger.js';
import type { Recorder } from './site/recorder.js';

/** A running service with its own database, and a client that checks every response against the OpenAPI document. */
export interface Service {
  readonly app: INestApplication;
  readonly port: number;
  readonly clock: ManualClock;
  readonly database: ServiceDatabase;
  /** The secret of the key that the first start issued. */
  readonly secret: string;
  readonly client: ApiClient;
  readonly stranger: ApiClient;
  stop(): Promise<void>;
}

interface ServiceOptions {
  /** Settings, as variables of the environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Another replica, whose database and clock the new one shares. */
  readonly beside?: Service;
  /** The default is the clock of `beside`, or else one that only the test advances. */
  readonly clock?: ManualClock;
  /** The target of its log, at its LOG_LEVEL. Only one service of a test may have it, because a process has one logger. */
  readonly log?: Recorder;
  readonly awaitReady?: boolean;
  /** Whether methods with `@Cron` and `@Interval` are called, as by default. A test that looks at each statement calls them itself. */
  readonly hasTimers?: boolean;
  readonly modules?: NonNullable<DynamicModule['imports']>;
  /** Modules in place of the modules of the service, except keys and pets. They may have names of modules of the service. */
  readonly samples?: typeof MODULES;
  /** The only modules of the service, besides the module of keys. */
  readonly only?: readonly Type[];
  /** Whether the service uses the document of the build, which does not contain those modules. */
  readonly hasBuiltDocument?: boolean;
}

/** All modules of a service with modules of a test, and with keys and pets of its own modules. */
export const withSamples = (...samples: typeof MODULES): typeof MODULES => [
  AccessModule,
  PetsModule,
  ...samples,
];

export async function startService(
  engine: { create(): Promise<ServiceDatabase> },
  {
    environment,
    modules = [],
    samples,
    only,
    beside,
    clock = beside?.clock ?? new ManualClock(),
    ...options
  }: ServiceOptions = {},
): Promise<Service> {
  const database = beside?.database ?? (await engine.create());
  const own = samples ? withSamples(...samples) : only ? [AccessModule, ...only] : MODULES;
  const variables = {
    DATABASE_URL: database.url,
    MIGRATE_ON_START: 'true',
    // A connection must not end at the moment when a client with a busy process uses it again.
    KEEP_ALIVE_TIMEOUT: '600000',
    ...environment,
  };
  const settings = readSettings(variables, [...own, ...modules]);
  const testing = Test.createTestingModule({
    imports: [AppModule.with(settings, { isService: options.hasTimers ?? true, modules: own }), ...modules],
  })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(DatabaseClock)
    .useValue(clock);
  if ((modules.length > 0 || own !== MODULES) && !options.hasBuiltDocument)
    testing.overrideProvider(ApiDocument).useClass(
      class extends ApiDocument {
        protected override read() {
          return openApiDocument(app);
        }
      },
    );
  const assembled = await testing.compile();
  const app: INestApplication = assembled.createNestApplication(new JsonExpressAdapter(settings), {
    bodyParser: false,
  });
  logTo(options.log ? new PinoLog(settings.logLevel, options.log) : false);
  configureApp(app);
  const server = (await app.listen(0, '127.0.0.1')) as { address(): AddressInfo };
  const { port } = server.address();
  const ready = makeReady(app);
  // A service that failed to start must not keep its subscriptions.
  ready.catch(() => app.close());
  const first = options.awaitReady === false ? undefined : await ready;
  const secret = first ?? beside?.secret ?? app.get(AccessSettings, { strict: false }).bootstrapSecret ?? '';
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
