import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { API_VERSION } from './document/openapi-document.js';
import { Public } from './route.decorators.js';

/** Describes the service and where its documentation is. */
@Public()
@ApiExcludeController()
@Controller({ path: '', version: VERSION_NEUTRAL })
export class IndexController {
  @Get()
  index() {
    return {
      service: 'Pet Store',
      version: API_VERSION,
      what: 'A catalogue of animals: list them, add one, fetch one. JSON over HTTP, an API key for every operation.',
      operations: ['GET /v1/pets', 'POST /v1/pets', 'GET /v1/pets/{petId}'],
      documentation: '/docs',
      document: '/openapi.json',
      authentication: 'Authorization: Bearer <API key>; the operator of this service issues keys.',
      health: { alive: '/livez', ready: '/readyz' },
    };
  }
}
