import { Injectable, Logger, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';
import { type Handler, Handlers } from '../handlers.js';
import { DEPRECATION, type Deprecation, DeprecationPolicy } from './deprecation.js';

const DAYS_OF_WARNING = 90;

/** An operation that has `@Deprecated`, in the words of the document. */
export interface DeprecatedOperation {
  readonly name: string;
  readonly method: string;
  /** Below the base address, parameters in braces. */
  readonly path: string;
  readonly description: string;
  readonly deprecation: Deprecation;
}

/** The name of an operation in the document; that of its method where it has none. */
export function operationNameOf(handler: { readonly name: string }): string {
  const documented = Reflect.getMetadata(DECORATORS.API_OPERATION, handler) as
    { operationId?: string } | undefined;
  return documented?.operationId ?? handler.name;
}

/** Finds the deprecated operations of all modules, and tells the operator at the start which end soon or have ended. */
@Injectable()
export class DeprecatedOperations implements OnApplicationBootstrap {
  readonly #log = new Logger('Deprecation');

  constructor(
    private readonly handlers: Handlers,
    private readonly reflector: Reflector,
    private readonly policy: DeprecationPolicy,
  ) {}

  all(): DeprecatedOperation[] {
    return this.handlers.all().flatMap((handler) => {
      const deprecation = this.reflector.get<Deprecation | undefined>(DEPRECATION, handler.method);
      return deprecation ? [this.#operationOf(handler, deprecation)] : [];
    });
  }

  onApplicationBootstrap(): void {
    for (const { name, deprecation } of this.all()) {
      const days = this.policy.daysLeft(deprecation);
      if (this.policy.isGone(deprecation)) this.#log.warn(`${name} is gone: it answers 410`);
      else if (days < 0) this.#log.warn(`${name} is past its removal date and still served`);
      else if (days < DAYS_OF_WARNING) this.#log.warn(`${name} is due to be removed in ${days} days`);
    }
  }

  #operationOf({ controller, method }: Handler, deprecation: Deprecation): DeprecatedOperation {
    const read = <Value>(key: string, target: Handler['controller' | 'method']) =>
      this.reflector.get<Value>(key, target);
    const documented = read<{ description?: string } | undefined>(DECORATORS.API_OPERATION, method);
    const segments = [read<string>(PATH_METADATA, controller), read<string>(PATH_METADATA, method)];
    const path = segments.flatMap((segment) => segment.split('/')).filter((segment) => segment !== '');
    return {
      name: operationNameOf(method),
      method: RequestMethod[read<RequestMethod>(METHOD_METADATA, method)]!,
      path: path.map((segment) => `/${segment.replace(/^:(.+)$/, '{$1}')}`).join(''),
      description: documented?.description ?? '',
      deprecation,
    };
  }
}
