import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'express';
import { Settings } from '../../config/settings.js';
import { writeJson } from '../../json/write-json.js';
import {
  type DeprecatedOperation,
  DeprecatedOperations,
  DeprecationPolicy,
} from '../deprecation/deprecation.js';
import { type Pages, StaticFile } from '../docs/static-files.js';
import { openApiDocument } from './openapi-document.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const YAML_TYPE = 'application/yaml; charset=utf-8';

const PATHS = ['/openapi.json', '/openapi.yaml', '/openapi-3.0.json'] as const;
type Path = (typeof PATHS)[number];

/** The document as it is at the moment: an operation that has been removed is not in it. */
@Injectable()
export class ApiDocument {
  #app!: INestApplication;
  #deprecated: readonly DeprecatedOperation[] = [];
  /** By the names of the operations that are removed: there are only as many as operations that end. */
  readonly #editions = new Map<string, Edition>();

  constructor(
    private readonly settings: Settings,
    private readonly deprecatedOperations: DeprecatedOperations,
    private readonly policy: DeprecationPolicy,
  ) {}

  /** Describes the operations of an application that is put together. @returns all of them, also those that are removed */
  describe(app: INestApplication): OpenAPIObject {
    this.#app = app;
    this.#deprecated = this.deprecatedOperations.all();
    return openApiDocument(app, this.settings);
  }

  /** It at `/openapi.json`, in YAML (RFC 9512) and in OpenAPI 3.0, by path. */
  get files(): Pages['files'] {
    const current = (path: Path) => ({
      sendTo: (response: Response) => this.#edition().files[path].sendTo(response),
    });
    return Object.fromEntries(PATHS.map((path) => [path, current(path)]));
  }

  /** Such as `GET /v1/pets`. */
  get operations(): readonly string[] {
    return this.#edition().operations;
  }

  #edition(): Edition {
    const removed = this.#deprecated.filter((end) => this.policy.isGone(end)).map(({ name }) => name);
    const key = removed.join();
    let edition = this.#editions.get(key);
    if (!edition) this.#editions.set(key, (edition = editionOf(this.#app, this.settings, removed)));
    return edition;
  }
}

interface Edition {
  readonly operations: readonly string[];
  readonly files: Readonly<Record<Path, StaticFile>>;
}

function editionOf(app: INestApplication, settings: Settings, without: readonly string[]): Edition {
  const document = openApiDocument(app, settings, { without });
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} /v1${path}`),
  );
  const yaml = async () => {
    const { stringify } = await import('yaml');
    return stringify(document, { aliasDuplicateObjects: false });
  };
  const older = () => openApiDocument(app, settings, { without, version: '3.0.3' });
  return {
    operations,
    files: {
      '/openapi.json': new StaticFile(JSON_TYPE, () => writeJson(document)),
      '/openapi.yaml': new StaticFile(YAML_TYPE, yaml),
      '/openapi-3.0.json': new StaticFile(JSON_TYPE, () => writeJson(older())),
    },
  };
}
