import { Injectable } from '@nestjs/common';
import { type Handler, Handlers } from '../handlers.js';
import { apiErrorsOf } from '../route.decorators.js';
import { type DescribedError, type ErrorEntry, PLATFORM_ERRORS, STATUS_OF_KIND } from './error-codes.js';

/** All error codes of the service: those of the platform, and those that its handlers declare with `@ApiErrors`. */
@Injectable()
export class ErrorCatalogue {
  #all: ReadonlyMap<string, ErrorEntry> | undefined;

  constructor(private readonly handlers: Handlers) {}

  /** Those of modules come last, in alphabetical order, for the order of modules is not fixed. @throws Error for a code with two owners */
  all(): ReadonlyMap<string, ErrorEntry> {
    return (this.#all ??= new Map([...PLATFORM_ERRORS, ...this.#ofModules()]));
  }

  #ofModules(): [code: string, entry: ErrorEntry][] {
    const owners = new Map<string, { readonly error: DescribedError; readonly name: string }>();
    for (const handler of this.handlers.all()) {
      for (const error of apiErrorsOf(handler.method)) {
        if (typeof error === 'string') {
          if (!PLATFORM_ERRORS.has(error)) throw new Error(unknownCode(error, handler));
          continue;
        }
        const { code } = error;
        // A description that is no class has no name.
        const name = (error as Partial<Function>).name ?? `A description on ${placeOf(handler)}`;
        const owner = PLATFORM_ERRORS.has(code)
          ? { error: undefined, name: 'the platform' }
          : owners.get(code);
        if (owner && owner.error !== error) throw new Error(ownedTwice(code, name, owner.name));
        owners.set(code, { error, name });
      }
    }
    return [...owners]
      .map(([code, { error }]): [string, ErrorEntry] => [code, entryOf(error)])
      .sort(([one], [other]) => one.localeCompare(other, 'en'));
  }
}

const placeOf = ({ controller, name }: Handler) => `${controller.name}.${name}`;

const unknownCode = (code: string, handler: Handler) =>
  `@ApiErrors on ${placeOf(handler)} names ${code}, which is no code of the platform. Pass the class of the error instead, or ` +
  'a description { status, code, meaning, remedy }.';

const ownedTwice = (code: string, name: string, owner: string) =>
  `${name} and ${owner} both have the error code ${code}, so clients could not tell them apart. Give ${name} another code, or ` +
  'declare the same class, or the same constant, on both routes.';

function entryOf(error: DescribedError): ErrorEntry {
  const { meaning, remedy, again } = error;
  const status = 'kind' in error ? STATUS_OF_KIND[error.kind] : error.status;
  return { status, meaning, remedy, ...(again && { again }) };
}
