import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { readsOnlyDeclared } from './route.decorators.js';

/**
 * The request as a parameter of a handler, made into something else by the pipe that is passed: thus a handler asks for what it needs,
 * and never sees the request.
 */
export const requestThrough = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>()),
);

/** The path of a request below the base address, such as `/pets`. */
export const pathBelowBase = ({ path }: Request): string => path.replace(/^\/v1/, '');
