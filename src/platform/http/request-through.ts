import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { uriReference } from './errors/write-error.js';
import { readsOnlyDeclared } from './route.decorators.js';

/**
 * The request as a parameter of a handler, made into something else by the pipe that is passed: thus a handler asks for what it needs,
 * and never sees the request.
 */
export const requestThrough = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>()),
);

/** The whole path of a request as it may stand in an address, whatever a client has put into its parameters. */
export const pathOf = ({ path }: Request): string => uriReference(path);
