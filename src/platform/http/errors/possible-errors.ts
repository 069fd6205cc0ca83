import { Injectable } from '@nestjs/common';
import { Handlers } from '../handlers.js';
import { type ErrorEntry, errorCatalogue, isOfModule } from './error-catalogue.js';

/** The metadata of a handler: the codes that it may refuse with. */
export const API_ERRORS = Symbol('refusals');

/** Knows which error codes clients of this service can meet: a module that is left out refuses nobody. */
@Injectable()
export class PossibleErrors {
  constructor(private readonly handlers: Handlers) {}

  all(): [code: string, entry: ErrorEntry][] {
    const refusals = new Set(this.handlers.all().flatMap(({ method }) => apiErrorsOf(method)));
    return [...errorCatalogue].filter(([code]) => !isOfModule(code) || refusals.has(code));
  }
}

/** The codes that `@ApiErrors` names. */
export const apiErrorsOf = (handler: object) =>
  (Reflect.getMetadata(API_ERRORS, handler) as string[] | undefined) ?? [];
