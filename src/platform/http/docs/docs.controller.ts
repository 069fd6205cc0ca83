import { applyDecorators, Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../public.decorator.js';
import { READING_POLICY, TRYING_POLICY } from './content-policies.js';
import { PossibleErrors } from '../errors/possible-errors.js';
import { DeprecationsPage } from './deprecations-page.js';
import { errorsPage } from './errors-page.js';
import { operationsPage } from './operations-page.js';

const Page = (policy: string) =>
  applyDecorators(
    Header('Content-Type', 'text/html; charset=utf-8'),
    Header('Content-Security-Policy', policy),
  );

/** The documentation as people read it. `static-files.ts` has what its pages are made of. */
@Public()
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
}
