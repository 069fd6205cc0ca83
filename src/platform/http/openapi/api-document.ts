import { existsSync, readFileSync } from 'node:fs';
import { Injectable, Logger } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { writeJson } from '../../json/write-json.js';
import { Deprecations } from '../deprecation/deprecation.js';
import { StaticFile } from './static-file.js';
import { Routes } from '../routes.js';
import { configuredBase } from '../links.js';

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** An OpenAPI document in the form that `npm run document` writes. */
export interface OpenApiDocument extends OpenAPIObject {
  readonly paths: Paths;
  /** Every error code, with its status, meaning and remedy. */
  readonly 'x-error-codes'?: Readonly<Record<string, object>>;
}

/** `docs/openapi.json`, which the build copies: all operations of all areas. */
@Injectable()
export class BuiltDocument {
  read(): OpenApiDocument {
    // The same path from the source and from the build.
    const file = new URL('../../../../dist/openapi.json', import.meta.url);
    if (!existsSync(file)) throw new Error('There is no dist/openapi.json. "npm run build" puts it there.');
    return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
  }
}

/** The OpenAPI document of what this service serves at the moment, with its addresses. */
@Injectable()
export class ApiDocument {
  #whole: OpenApiDocument | undefined;

  constructor(
    private readonly built: BuiltDocument,
    private readonly routes: Routes,
    private readonly deprecations: Deprecations,
    private readonly settings: Settings,
  ) {}

  /** With the operations that this service does not serve. */
  get whole(): OpenApiDocument {
    return (this.#whole ??= this.built.read());
  }

  /** `/openapi.json`, which changes when an operation is removed. */
  readonly file = new StaticFile('application/json; charset=utf-8', () => writeJson(this.#current()), {
    version: () => this.removed().join(),
  });

  /** Logs the routes that the document lacks. */
  warn(): void {
    const { paths } = this.whole;
    const missing = this.#routes().filter(({ method, path }) => !paths[path]?.[method]);
    if (missing.length === 0) return;
    const routes = missing.map(({ method, path }) => `${method.toUpperCase()} ${path}`).join(', ');
    new Logger('Document').warn(
      `The OpenAPI document lacks ${routes}. In the source, run "npm run document", then "npm run build".`,
    );
  }

  #current(): OpenApiDocument {
    const paths = this.#served();
    const names = new Set(Object.values(paths).flatMap((item) => Object.values(item).map(nameOf)));
    const document = JSON.parse(JSON.stringify({ ...this.whole, paths }), (key, value: object) =>
      key === 'links' ? linksTo(names, value) : value,
    ) as OpenApiDocument;
    return { ...withoutUnused(document), ...addressesOf(this.settings) } as OpenApiDocument;
  }

  /** Such as `GET` and `/v1/pets`. */
  get operations(): [method: string, path: string][] {
    return Object.entries(this.#served()).flatMap(([path, item]) =>
      Object.keys(item).map((method): [string, string] => [method.toUpperCase(), `/v1${path}`]),
    );
  }

  /** The names of the operations that have been removed, and answer 410. */
  removed(): string[] {
    return this.routes
      .all()
      .flatMap(({ operation, deprecation }) =>
        deprecation && this.deprecations.isGone(deprecation) ? operation : [],
      );
  }

  #routes() {
    return this.routes.all().flatMap(({ addresses }) => addresses);
  }

  #served(): Paths {
    const removed = this.removed();
    const routes = new Set(this.#routes().map(({ method, path }) => `${method} ${path}`));
    const served = Object.entries(this.whole.paths).map(([path, item]) => {
      const operations = Object.entries(item).filter(
        ([method, operation]) => routes.has(`${method} ${path}`) && !removed.includes(nameOf(operation)),
      );
      return [path, Object.fromEntries(operations)] as const;
    });
    return Object.fromEntries(served.filter(([, item]) => Object.keys(item).length > 0));
  }
}

const nameOf = ({ operationId = '' }: { readonly operationId?: string }) => operationId;

const linksTo = (names: ReadonlySet<string>, links: object) =>
  Object.fromEntries(Object.entries(links).filter(([, link]) => names.has(nameOf(link as object))));

/** Drops the tags, components and error codes that no operation uses, for clients are generated from all that is there. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const used = new Set(Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(tagsOf)));
  const tags = document.tags?.filter(({ name }) => used.has(name)) ?? [];
  const pruned = withUsedComponents({ ...document, tags });
  const [before, after] = [document, pruned].map(({ components }) => components!.examples ?? {});
  const codes = Object.entries(document['x-error-codes'] ?? {}).filter(
    ([code]) => !(code in before! && !(code in after!)),
  );
  return { ...pruned, 'x-error-codes': Object.fromEntries(codes) };
}

const tagsOf = (operation: object) => (operation as { readonly tags?: readonly string[] }).tags ?? [];

function withUsedComponents(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  const kinds = Object.entries(document.components as Components).map(([kind, parts]) => {
    const isUsed = (name: string) =>
      kind === 'securitySchemes' || text.includes(`"#/components/${kind}/${name}"`);
    return [kind, Object.fromEntries(Object.entries(parts).filter(([name]) => isUsed(name)))];
  });
  const smaller = { ...document, components: Object.fromEntries(kinds) as object };
  return JSON.stringify(smaller).length === text.length ? document : withUsedComponents(smaller);
}

/** The addresses of the service and of its guide, the first one absolute if it is known. */
export function addressesOf(
  settings: Pick<Settings, 'host' | 'port' | 'baseUrl' | 'stagingUrl'>,
): Pick<OpenApiDocument, 'servers'> & { externalDocs: OpenApiDocument['externalDocs'] | undefined } {
  const { baseUrl, stagingUrl, port } = settings;
  const base = configuredBase(settings);
  // If PORT is 0, or HOST names no machine, the address is not known.
  const isKnown = !base.text.startsWith('/') && (baseUrl ?? port) !== 0;
  const local = [
    ...(isKnown ? [{ url: base.text, description: 'Local: where the service listens' }] : []),
    { url: '/v1', description: 'Local: where this document came from' },
  ];
  const production = baseUrl === stagingUrl ? [] : [{ url: baseUrl!, description: 'Production' }];
  const staging = stagingUrl ? [{ url: stagingUrl, description: 'Staging' }] : [];
  return {
    servers: [...(baseUrl === undefined ? local : production), ...staging],
    externalDocs: isKnown
      ? { description: 'The guide and the error codes', url: base.beside('/docs') }
      : undefined,
  };
}
