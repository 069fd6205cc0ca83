import { applyDecorators, Controller, Get, Header, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Open } from '../open.decorator.js';
import { READING_POLICY, TRYING_POLICY } from './content-policies.js';
import { PossibleErrors } from '../errors/possible-errors.js';
import { DeprecationsPage } from './deprecations-page.js';
import { errorsPage } from './errors-page.js';
import { operationsPage, START_SCRIPT } from './operations-page.js';
import { PAGES_STYLE } from './pages-style.js';
import { swaggerFiles } from './swagger-files.js';

const Page = (policy: string) =>
  applyDecorators(Type('text/html; charset=utf-8'), Header('Content-Security-Policy', policy));
const Type = (mediaType: string) => Header('Content-Type', mediaType);

/** The documentation as people read it, and the files its pages are made of. */
@Open()
@ApiExcludeController()
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
export class DocsController {
  constructor(
    private readonly deprecationsPage: DeprecationsPage,
    private readonly possibleErrors: PossibleErrors,
  ) {}

  @Get()
  @Page(TRYING_POLICY)
  operations() {
    return operationsPage();
  }

  @Get('errors')
  @Page(READING_POLICY)
  errors() {
    return errorsPage(this.possibleErrors.all());
  }

  @Get('deprecations')
  @Page(READING_POLICY)
  deprecations() {
    return this.deprecationsPage.text();
  }

  @Get('pages.css')
  @Type('text/css; charset=utf-8')
  style() {
    return PAGES_STYLE;
  }

  @Get('init.js')
  @Type('text/javascript; charset=utf-8')
  startScript() {
    return START_SCRIPT;
  }

  @Get('swagger-ui.css')
  @Type('text/css; charset=utf-8')
  swaggerStyle() {
    return swaggerFiles.style();
  }

  @Get('swagger-ui-bundle.js')
  @Type('text/javascript; charset=utf-8')
  swaggerScript() {
    return swaggerFiles.script();
  }

  @Get('favicon.png')
  icon(@Res() response: Response) {
    response.type('png').send(swaggerFiles.icon());
  }
}
