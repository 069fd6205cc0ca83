import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { writeJson } from '../../json/write-json.js';
import { DeprecatedOperations } from '../deprecation/deprecation.js';
import { type Pages, StaticFile } from '../docs/static-files.js';
import { openApiDocument } from './openapi-document.js';
import type { Operation } from './openapi-types.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const YAML_TYPE = 'application/yaml; charset=utf-8';

/** The current document, without operations that have been removed. */
@Injectable()
export class ApiDocument {
  #app!: INestApplication;
  #whole!: OpenAPIObject;

  constructor(
    private readonly settings: Settings,
    private readonly deprecated: DeprecatedOperations,
  ) {}

  /** Describes the operations of an assembled application. @returns the document with all of them, including removed ones */
  describe(app: INestApplication): OpenAPIObject {
    this.#app = app;
    return (this.#whole = openApiDocument(app, this.settings));
  }

  /** The document by path: at `/openapi.json`, in YAML (RFC 9512) and in OpenAPI 3.0. */
  get files(): Pages['files'] {
    const version = () => this.#removed().join();
    const file = (type: string, write: () => string | Promise<string>) =>
      new StaticFile(type, write, { version });
    const current = (of?: '3.0.3') =>
      openApiDocument(this.#app, this.settings, { without: this.#removed(), ...(of && { version: of }) });
    return {
      '/openapi.json': file(JSON_TYPE, () => writeJson(current())),
      '/openapi.yaml': file(YAML_TYPE, async () => {
        const document = current();
        return (await import('yaml')).stringify(document, { aliasDuplicateObjects: false });
      }),
      '/openapi-3.0.json': file(JSON_TYPE, () => writeJson(current('3.0.3'))),
    };
  }

  /** Such as `GET /v1/pets`. */
  get operations(): string[] {
    const removed = this.#removed();
    return Object.entries(this.#whole.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>)
        .filter(([, { operationId = '' }]) => !removed.includes(operationId))
        .map(([method]) => `${method.toUpperCase()} /v1${path}`),
    );
  }

  #removed(): string[] {
    return this.deprecated.all().flatMap(({ name, gone }) => (gone ? name : []));
  }
}
