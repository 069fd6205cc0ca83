import { existsSync, readFileSync } from 'node:fs';
import { Injectable, Logger } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { BadConfiguration, Settings } from '../../config/settings.js';
import { configuredBase } from '../links.js';
import { Routes } from '../routes.js';

/** `docs/openapi.json`, which the build copies, with the addresses of this service. Operations that are removed stay in it. */
@Injectable()
export class ApiDocument {
  #content: OpenAPIObject | undefined;

  constructor(
    private readonly routes: Routes,
    private readonly settings: Settings,
  ) {}

  get content(): OpenAPIObject {
    return (this.#content ??= { ...this.read(), ...addressesOf(this.settings) });
  }

  protected read(): OpenAPIObject {
    const file = new URL('../../../../dist/openapi.json', import.meta.url);
    if (!existsSync(file))
      throw new BadConfiguration('There is no dist/openapi.json. "npm run build" puts it there.');
    return JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;
  }

  /** Logs the routes that the document lacks. */
  warn(): void {
    const routes = this.routes.all().flatMap(({ addresses }) => addresses);
    const missing = routes.filter(({ method, path }) => !(method in (this.content.paths[path] ?? {})));
    const lacks = missing.map(({ method, path }) => `${method.toUpperCase()} ${path}`).join(', ');
    if (lacks === '') return;
    new Logger('Document').warn(
      `The OpenAPI document lacks ${lacks}. In the source, run "npm run document", then "npm run build".`,
    );
  }
}

/** The addresses of the service and of its guide, the first one absolute if it is known. */
export function addressesOf(settings: Pick<Settings, 'host' | 'port' | 'baseUrl' | 'stagingUrl'>) {
  const { baseUrl, stagingUrl, port } = settings;
  const base = configuredBase(settings);
  // If PORT is 0, or HOST names no machine, the address is not known.
  const isKnown = !base.text.startsWith('/') && (baseUrl ?? port) !== 0;
  const listening = { url: base.text, description: 'Local: where the service listens' };
  const here = { url: '/v1', description: 'Local: where this document came from' };
  const local = isKnown ? [listening, here] : [here];
  const production = baseUrl === stagingUrl ? [] : [{ url: baseUrl!, description: 'Production' }];
  const staging = stagingUrl ? [{ url: stagingUrl, description: 'Staging' }] : [];
  const servers = [...(baseUrl === undefined ? local : production), ...staging];
  const externalDocs = { description: 'The guide and the error codes', url: base.beside('/docs') };
  return isKnown ? { servers, externalDocs } : { servers };
}
