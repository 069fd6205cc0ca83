import { applyDecorators, Controller, Get, Header, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Open } from '../open.decorator.js';
import { READING_POLICY, TRYING_POLICY } from './content-policies.js';
import { PossibleErrors } from '../errors/possible-errors.js';
import { DeprecationsPage } from './deprecations-page.js';
import { errorsPage } from './errors-page.js';
import { operationsPage } from './operations-page.js';
import { staticFiles } from './static-files.js';

const Page = (policy: string) =>
  applyDecorators(
    Header('Content-Type', 'text/html; charset=utf-8'),
    Header('Content-Security-Policy', policy),
  );

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
  style(@Res() response: Response) {
    return staticFiles.style.sendTo(response);
  }

  @Get('init.js')
  startScript(@Res() response: Response) {
    return staticFiles.startScript.sendTo(response);
  }

  @Get('swagger-ui.css')
  swaggerStyle(@Res() response: Response) {
    return staticFiles.swaggerStyle.sendTo(response);
  }

  @Get('swagger-ui-bundle.js')
  swaggerScript(@Res() response: Response) {
    return staticFiles.swaggerScript.sendTo(response);
  }

  @Get('favicon.png')
  icon(@Res() response: Response) {
    return staticFiles.icon.sendTo(response);
  }
}
