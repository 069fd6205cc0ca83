import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiDocument } from '../document/api-document.js';
import { Public } from '../route.decorators.js';
import { API_VERSION } from '../document/openapi-document.js';

/** Describes the service and where its documentation is. */
@Public()
@ApiExcludeController()
@Controller({ path: '', version: VERSION_NEUTRAL })
export class IndexController {
  constructor(private readonly document: ApiDocument) {}

  @Get()
  index() {
    return {
      service: 'Pet Store',
      version: API_VERSION,
      what: 'A catalogue of animals: list them, add one, fetch one. JSON over HTTP, an API key for every operation.',
      operations: this.document.operations,
      documentation: '/docs',
      document: '/openapi.json',
      otherForms: ['/openapi.yaml', '/openapi-3.0.json'],
      authentication: 'Authorization: Bearer <API key>; the operator of this service issues keys.',
      health: { alive: '/livez', ready: '/readyz' },
    };
  }
}
