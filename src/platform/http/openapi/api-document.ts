import { existsSync, readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { BASE_PATH } from '../../config/base-path.js';
import { BadConfiguration, Settings } from '../../config/settings.js';
import { configuredBase } from '../links.js';

/** `docs/openapi.json`, which the build copies, with the URLs of this service. Removed operations stay in it. */
@Injectable()
export class ApiDocument {
  #content: OpenAPIObject | undefined;

  constructor(private readonly settings: Settings) {}

  get content(): OpenAPIObject {
    return (this.#content ??= { ...this.read(), ...documentUrls(this.settings) });
  }

  /** The start calls this, so that it fails if the document is missing. @throws BadConfiguration */
  load(): void {
    void this.content;
  }

  protected read(): OpenAPIObject {
    const file = new URL('../../../../dist/openapi.json', import.meta.url);
    if (!existsSync(file))
      throw new BadConfiguration('There is no dist/openapi.json. "npm run build" puts it there.');
    return JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;
  }
}

/** The URLs of the service and of its guide. The first URL is absolute if it is known. */
export function documentUrls(settings: Pick<Settings, 'host' | 'port' | 'baseUrl' | 'stagingUrl'>) {
  const { baseUrl, stagingUrl, port } = settings;
  const base = configuredBase(settings);
  // If PORT is 0, or HOST does not name one machine, the URL is unknown.
  const isKnown = !base.text.startsWith('/') && (baseUrl ?? port) !== 0;
  const listening = {
    url: base.text,
    description: 'The local service, at the host and port where it listens',
  };
  const here = { url: BASE_PATH, description: 'The local service, which sent this document' };
  const local = isKnown ? [listening, here] : [here];
  const production = baseUrl === stagingUrl ? [] : [{ url: baseUrl!, description: 'Production' }];
  const staging = stagingUrl ? [{ url: stagingUrl, description: 'Staging' }] : [];
  const servers = [...(baseUrl === undefined ? local : production), ...staging];
  const externalDocs = { description: 'The guide and the error codes', url: base.beside('/docs') };
  return isKnown ? { servers, externalDocs } : { servers };
}
