import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
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
    return {
      service: 'Pet Store',
      version: this.document.whole.info.version,
      what: 'A catalogue of animals: list them, add one, fetch one. JSON over HTTP, an API key for every operation.',
      operations: this.document.operations.map(([method, path]) => `${method} ${prefix}${path}`),
      documentation: `${prefix}/docs`,
      document: `${prefix}/openapi.json`,
      authentication: 'Authorization: Bearer <API key>; the operator of this service issues keys.',
      health: { alive: `${prefix}/livez`, ready: `${prefix}/readyz` },
    };
  }

  @Get('openapi.json')
  openApi(@Res() response: Response) {
    return this.document.file.sendTo(response);
  }
}
