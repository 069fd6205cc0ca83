import { type INestApplication, VersioningType } from '@nestjs/common';
import { BearerGuard, BootstrapKeys, RateGuard } from './access/index.js';
import { Settings } from './platform/config/settings.js';
import { Database } from './platform/database/database.js';
import { Readiness } from './platform/health/readiness.js';
import { SunsetGuard } from './platform/http/deprecation/deprecated.decorator.js';
import { serveFiles, STATIC_FILES } from './platform/http/docs/static-files.js';
import { BodyGuard } from './platform/http/body.guard.js';
import { openApiDocument, serveDocument } from './platform/http/document/openapi-document.js';
import { RouteHeadersGuard } from './platform/http/route-headers.guard.js';
import { nameOperations } from './platform/http/operation-name.js';
import { DtoValidationPipe } from './platform/http/validation/validation.pipe.js';
import { ErrorFilter } from './platform/http/errors/error.filter.js';

/** The configuration of the running service and of every end-to-end test. The order of the guards is the order of the checks. */
export function configureApp(app: INestApplication): void {
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.useGlobalGuards(
    app.get(RouteHeadersGuard),
    app.get(BearerGuard),
    app.get(RateGuard),
    app.get(SunsetGuard),
    app.get(BodyGuard),
  );
  app.useGlobalPipes(app.get(DtoValidationPipe));
  app.useGlobalFilters(new ErrorFilter());
  const settings = app.get(Settings);
  app.getHttpAdapter().getInstance().set('trust proxy', settings.trustProxy);
  const document = openApiDocument(app, settings);
  nameOperations(document);
  serveDocument(app, document);
  serveFiles(app.getHttpAdapter(), STATIC_FILES);
}

/** Opens the database and makes the service ready. @returns the secret of the first key, if it was issued just now */
export async function makeReady(app: INestApplication): Promise<string | undefined> {
  await app.get(Database).open({ waitForServer: true });
  const firstSecret = await app.get(BootstrapKeys).ensureKeys();
  app.get(Readiness).markReady();
  return firstSecret;
}
