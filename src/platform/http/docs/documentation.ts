import { existsSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { DeprecatedOperations } from '../deprecation/deprecation.js';
import { errorCatalogue, isModuleCode } from '../errors/error-codes.js';
import { Handlers } from '../handlers.js';
import { apiErrorsOf } from '../route.decorators.js';
import { operationsOf } from './openapi.js';
import { cached, type Pages, STATIC_FILES, StaticFile } from './static-files.js';

/** The folder that contains `docs`, by the same path from the source and from the build. */
const ROOT = new URL('../../../../', import.meta.url);

/** Scripts, styles and images come from this service, and pages send requests to this service only. */
const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((kind) => `${kind} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
].join('; ');

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const PAGES = ['', '/guide', '/reference', '/errors', '/deprecations', '/changelog'];

/** The documentation as HTML pages. */
@Injectable()
export class Documentation {
  constructor(
    private readonly handlers: Handlers,
    private readonly deprecated: DeprecatedOperations,
    private readonly settings: Settings,
  ) {}

  /** The pages by path, and the page for unknown paths. They are rendered at the first request. */
  of(document: OpenAPIObject): Pages {
    const areas = [...new Set(Object.keys(document.paths).map((path) => path.split('/')[1]!))].filter(
      (area) => existsSync(new URL(`docs/modules/${area}.md`, ROOT)),
    );
    const pages = [...PAGES, ...areas.map((area) => `/guide/${area}`)].map((path) => `/docs${path}`);
    const makeSite = async () => {
      const { siteOf } = await import('./site.js');
      const operations = operationsOf(document);
      const [deprecated, errors, { baseUrl }] = [this.deprecated.all(), this.#errors(), this.settings];
      return siteOf({ pages, areas, operations, deprecated, errors, baseUrl }, ROOT);
    };
    // Operations can be removed while the service runs.
    const version = () => JSON.stringify(this.deprecated.all().map(({ name, gone }) => [name, gone]));
    const site = cached(makeSite, version);
    const file = (path: string, type = HTML) => {
      const read = async () => (await site()).get(path)!;
      return new StaticFile(type, read, { version, headers: { 'Content-Security-Policy': POLICY } });
    };
    const files = Object.fromEntries(pages.map((path) => [path, file(path)]));
    // The same pages with a slash at the end.
    for (const path of pages) files[`${path}/`] = files[path]!;
    files['/docs/search.json'] = file('/docs/search.json', JSON_TYPE);
    return { files: { ...STATIC_FILES, ...files }, notFound: file('/docs/not-found') };
  }

  /** The error codes that clients of this service can meet, without those of modules that are disabled. */
  #errors() {
    const named = new Set(this.handlers.all().flatMap(({ method }) => apiErrorsOf(method)));
    return [...errorCatalogue].filter(([code]) => !isModuleCode(code) || named.has(code));
  }
}
