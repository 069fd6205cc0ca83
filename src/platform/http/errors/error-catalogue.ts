import { Injectable } from '@nestjs/common';
import { nameOfHandler, type Route, Routes } from '../routes/routes.js';
import { type DescribedError, type ErrorEntry, PLATFORM_ERRORS, STATUS_OF_KIND } from './error-codes.js';

/** All error codes of the service: the codes of the platform, and the codes that routes declare with `@ApiErrors`. */
@Injectable()
export class ErrorCatalogue {
  #all: ReadonlyMap<string, ErrorEntry> | undefined;

  constructor(private readonly routes: Routes) {}

  /**
   * Returns all codes. The codes of modules come last, in alphabetical order, because the order of modules is not fixed.
   * @throws Error for a code with two owners
   */
  all(): ReadonlyMap<string, ErrorEntry> {
    return (this.#all ??= new Map([...PLATFORM_ERRORS, ...this.#ofModules()]));
  }

  #ofModules(): [code: string, entry: ErrorEntry][] {
    const owners = new Map<string, { readonly error: DescribedError; readonly name: string }>();
    for (const route of this.routes.all()) {
      for (const error of route.errors) {
        if (typeof error === 'string') {
          if (!PLATFORM_ERRORS.has(error)) throw new Error(unknownCode(error, route));
          continue;
        }
        const { code } = error;
        // A description is not a class, so it has no name.
        const name = (error as Partial<Function>).name ?? `A description on ${nameOfHandler(route)}`;
        const owner = PLATFORM_ERRORS.has(code)
          ? { name: 'the platform', error: undefined }
          : owners.get(code);
        if (owner && owner.error !== error) throw new Error(ownedTwice(code, name, owner.name));
        owners.set(code, { error, name });
      }
    }
    return [...owners]
      .map(([code, { error }]): [string, ErrorEntry] => [code, describedEntry(error)])
      .sort(([one], [other]) => one.localeCompare(other, 'en'));
  }
}

const unknownCode = (code: string, route: Route) =>
  `@ApiErrors on ${nameOfHandler(route)} names ${code}, which is no code of the platform. Pass the class of the error instead, or ` +
  'a description { status, code, meaning, remedy }.';

const ownedTwice = (code: string, name: string, owner: string) =>
  `${name} and ${owner} both have the error code ${code}, so clients could not tell them apart. Give ${name} another code, or ` +
  'declare the same class, or the same constant, on both routes.';

function describedEntry(error: DescribedError): ErrorEntry {
  const { meaning, remedy, again } = error;
  const status = 'kind' in error ? STATUS_OF_KIND[error.kind] : error.status;
  return { status, meaning, remedy, ...(again && { again }) };
}
