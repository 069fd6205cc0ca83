import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiDocument } from '../openapi/api-document.js';
import { Public } from '../route.decorators.js';

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
      version: this.document.whole.info.version,
      what: 'A catalogue of animals: list them, add one, fetch one. JSON over HTTP, an API key for every operation.',
      operations: this.document.operations,
      documentation: '/docs',
      document: '/openapi.json',
      authentication: 'Authorization: Bearer <API key>; the operator of this service issues keys.',
      health: { alive: '/livez', ready: '/readyz' },
    };
  }
}
