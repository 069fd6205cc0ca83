import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify } from 'yaml';
import { writeJson } from '../../json/write-json.js';
import { serveFiles, StaticFile } from '../docs/static-file.js';

/** Serves the document at `/openapi.json` and `/openapi.yaml` (RFC 9512), to everybody. */
export function serveDocument(app: INestApplication, document: OpenAPIObject): void {
  const files = {
    '/openapi.json': new StaticFile('application/json; charset=utf-8', () => writeJson(document)),
    '/openapi.yaml': new StaticFile('application/yaml; charset=utf-8', () =>
      stringify(document, { aliasDuplicateObjects: false }),
    ),
  };
  serveFiles(app.getHttpAdapter(), files);
}
