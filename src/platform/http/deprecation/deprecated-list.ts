import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DECORATORS } from '@nestjs/swagger';
import { type Handler, Handlers } from '../handlers.js';
import { DEPRECATION, type Deprecation } from './deprecation.js';
import { operationNameOf } from './operation-name.js';

/** An operation that has `@Deprecated`, in the words of the document. */
export interface DeprecatedOperation {
  readonly name: string;
  readonly method: string;
  /** Below the base address, parameters in braces. */
  readonly path: string;
  readonly description: string;
  readonly deprecation: Deprecation;
}

/** Knows which operations of all modules are deprecated. */
@Injectable()
export class DeprecatedList {
  constructor(private readonly handlers: Handlers) {}

  all(): DeprecatedOperation[] {
    return this.handlers.all().flatMap(({ controller, method }) => operationOf(controller, method));
  }
}

function operationOf(controller: object, handler: Handler['method']): DeprecatedOperation[] {
  const read = <Value>(key: string | symbol, target: object = handler) =>
    Reflect.getMetadata(key, target) as Value;
  const deprecation = read<Deprecation | undefined>(DEPRECATION);
  if (!deprecation) return [];
  const documented = read<{ description?: string } | undefined>(DECORATORS.API_OPERATION);
  const segments = [read<string>(PATH_METADATA, controller), read<string>(PATH_METADATA)];
  const path = segments.flatMap((segment) => segment.split('/')).filter((segment) => segment !== '');
  return [
    {
      name: operationNameOf(handler),
      method: RequestMethod[read<RequestMethod>(METHOD_METADATA)]!,
      path: path.map((segment) => `/${segment.replace(/^:(.+)$/, '{$1}')}`).join(''),
      description: documented?.description ?? '',
      deprecation,
    },
  ];
}
