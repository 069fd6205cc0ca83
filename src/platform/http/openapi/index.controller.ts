import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { BASE_PATH } from '../../config/base-path.js';
import { Settings } from '../../config/settings.js';
import { JSON_MEDIA_TYPE } from '../../json/write-json.js';
import { pathPrefix } from '../links.js';
import { ApiDocument } from './api-document.js';
import { Public } from '../routes/route.decorators.js';

@Public()
@ApiExcludeController()
@Controller({ path: '', version: VERSION_NEUTRAL })
export class IndexController {
  #text: string | undefined;

  constructor(
    private readonly document: ApiDocument,
    private readonly settings: Settings,
  ) {}

  @Get()
  index() {
    const prefix = pathPrefix(this.settings);
    return {
      service: 'Pet Store',
      version: this.document.content.info.version,
      what: 'A catalogue of animals: list them, add one, fetch one. JSON over HTTP, an API key for every operation.',
      operations: Object.entries(this.document.content.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${prefix}${BASE_PATH}${path}`),
      ),
      documentation: `${prefix}/docs`,
      document: `${prefix}/openapi.json`,
      authentication: 'Authorization: Bearer <API key>; the operator of this service issues keys.',
      health: { alive: `${prefix}/livez`, ready: `${prefix}/readyz` },
    };
  }

  @Get('openapi.json')
  @Header('Content-Type', JSON_MEDIA_TYPE)
  @Header('Cache-Control', 'no-cache')
  openApi() {
    return (this.#text ??= JSON.stringify(this.document.content));
  }
}
