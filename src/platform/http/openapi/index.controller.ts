import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { pathPrefix } from '../links.js';
import { ApiDocument } from './api-document.js';
import { Public } from '../route.decorators.js';

/** Describes the service and where its documentation is. */
@Public()
@ApiExcludeController()
@Controller({ path: '', version: VERSION_NEUTRAL })
export class IndexController {
  constructor(
    private readonly document: ApiDocument,
    private readonly settings: Settings,
  ) {}

  @Get()
  index() {
    const prefix = pathPrefix(this.settings);
    const { info, paths } = this.document.content;
    return {
      service: 'Pet Store',
      version: info.version,
      what: 'A catalogue of animals: list them, add one, fetch one. JSON over HTTP, an API key for every operation.',
      operations: Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${prefix}/v1${path}`),
      ),
      documentation: `${prefix}/docs`,
      document: `${prefix}/openapi.json`,
      authentication: 'Authorization: Bearer <API key>; the operator of this service issues keys.',
      health: { alive: `${prefix}/livez`, ready: `${prefix}/readyz` },
    };
  }

  @Get('openapi.json')
  @Header('Cache-Control', 'no-cache')
  openApi() {
    return this.document.content;
  }
}
