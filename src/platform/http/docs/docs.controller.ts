import { applyDecorators, Controller, Get, Header, Req, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiDocument } from '../document/api-document.js';
import { DeprecatedOperations } from '../deprecation/deprecation.js';
import { errorCatalogue, isModuleCode } from '../errors/error-codes.js';
import { Handlers } from '../handlers.js';
import { Links } from '../links.js';
import { apiErrorsOf, Public } from '../route.decorators.js';
import { deprecationsPage, errorsPage, html, page } from './pages.js';
import { API_VERSION } from '../document/openapi-document.js';

const NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page to read: text, a style and the small picture in the tab. */
const READING_POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; ${NOTHING_ELSE}`;

/**
 * The page to try things out: scripts are files of this service, and reach nothing but this service. Swagger UI's style has
 * its arrows and locks as `data:` pictures; what it sets on single elements goes through the DOM, which needs no permission.
 */
const TRYING_POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; ${NOTHING_ELSE}`;

const Page = (policy: string) =>
  applyDecorators(
    Header('Content-Type', 'text/html; charset=utf-8'),
    Header('Content-Security-Policy', policy),
  );

const OPERATIONS_PAGE = page(
  'Operations',
  html`<div id="swagger-ui"></div>
    <noscript>
      <main class="text">
        <p>This page needs JavaScript. Without it, read the <a href="/openapi.json">OpenAPI document</a>.</p>
      </main>
    </noscript>`,
  [
    html`<link rel="stylesheet" href="/docs/swagger-ui.css" />
      <script src="/docs/swagger-ui-bundle.js" defer></script>
      <script src="/docs/init.js" type="module"></script>`,
  ],
);

/** The documentation as people read it. `static-files.ts` has what its pages are made of. */
@Public()
@ApiExcludeController()
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
export class DocsController {
  constructor(
    private readonly handlers: Handlers,
    private readonly deprecated: DeprecatedOperations,
    private readonly links: Links,
  ) {}

  @Get()
  @Page(TRYING_POLICY)
  operations() {
    return OPERATIONS_PAGE;
  }

  /** The codes that clients of this service can meet: those of a module that is left out are not among them. */
  @Get('errors')
  @Page(READING_POLICY)
  errors() {
    const named = new Set(this.handlers.all().flatMap(({ method }) => apiErrorsOf(method)));
    return errorsPage([...errorCatalogue].filter(([code]) => !isModuleCode(code) || named.has(code)));
  }

  @Get('deprecations')
  @Page(READING_POLICY)
  deprecations(@Req() request: Request) {
    return deprecationsPage(this.deprecated.all(), this.links.of(request));
  }
}

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
