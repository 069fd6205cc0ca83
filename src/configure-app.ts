import { type INestApplication, Logger, type VersioningOptions, VersioningType } from '@nestjs/common';
import { AccessSettings, ApiKeyService } from './access/index.js';
import { DEFAULT_VERSION } from './platform/config/base-path.js';
import { Settings } from './platform/config/settings.js';
import { Database } from './platform/database/database.js';
import { DatabaseUnavailable } from './platform/database/errors.js';
import { Leases } from './platform/database/leases/leases.js';
import { runChecks } from './platform/ops/doctor/run-checks.js';
import { Readiness } from './platform/ops/health/readiness.js';
import { Timers } from './platform/ops/process/timers.js';
import { BodyMemory } from './platform/http/body/body-memory.js';
import { checkBodyLimits } from './platform/http/body/check-limits.js';
import { Deprecations } from './platform/http/deprecation/deprecations.js';
import { ApiDocument } from './platform/http/openapi/api-document.js';
import { ErrorCatalogue } from './platform/http/errors/error-catalogue.js';
import { OtherHandlers } from './platform/http/routes/other-handlers.js';
import { Routes } from './platform/http/routes/routes.js';
import { DeclaredScopes } from './platform/http/routes/scopes.js';
import { UnreachableRoutes } from './platform/http/routes/unreachable-routes.js';

export const VERSIONING: VersioningOptions = { type: VersioningType.URI, defaultVersion: DEFAULT_VERSION };

/** The configuration of the running service and of every end-to-end test. */
export function configureApp(app: INestApplication): void {
  app.enableVersioning(VERSIONING);
  app.get(DeclaredScopes).all();
  app.get(ErrorCatalogue).all();
  app.get(OtherHandlers).check();
  app.get(UnreachableRoutes).check();
  app.get(Timers).check();
  checkBodyLimits(app.get(Routes).all(), app.get(Settings).bodyLimit, app.get(BodyMemory).limit);
  app.get(ApiDocument).load();
}

/** If a process dies while it issues the first key, another process issues it after this time. */
const FIRST_KEY_LEASE_MS = 5_000;

/**
 * Opens the database, logs what the checks of `petstore doctor` find, and makes the service ready. @returns the secret of the first key, if
 * it was just issued @throws DatabaseUnusable
 */
export async function makeReady(app: INestApplication): Promise<string | undefined> {
  await app.get(Database).open({ waitForServer: true });
  const found = await runChecks(app);
  // Checks also fail if the service is being stopped. Then a warning would be wrong.
  if (app.get(Readiness).isStopping) return undefined;
  for (const { what, remedy } of found)
    if (remedy !== undefined) new Logger('Start').warn(`${what} ${remedy}`);
  app.get(Deprecations).warn(app.get(Routes).all());
  const { bootstrapSecret } = app.get(AccessSettings, { strict: false });
  const firstSecret = await app
    .get(ApiKeyService)
    .ensureKeys(bootstrapSecret, !app.get(Settings).production, (work) =>
      app.get(Leases).run('first-key', FIRST_KEY_LEASE_MS, work),
    )
    .catch((error: unknown) => {
      // Without a new key, the service can still serve the existing data.
      if (!(error instanceof DatabaseUnavailable && error.code === 'database_read_only')) throw error;
      new Logger('Start').warn(
        'No key is registered, because the database accepts no writes. Restart the service when it accepts them.',
      );
      return undefined;
    });
  app.get(Readiness).markReady();
  return firstSecret;
}
