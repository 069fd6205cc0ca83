import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { writeJson } from '../json/write-json.js';
import { ApiException } from './errors/api-exception.js';
import { ApiErrors } from './route.decorators.js';
import { entityTag } from './server/send-json.js';

/**
 * Makes a check of the thing that a request is to change, out of what GET answers with for it. The check throws if the
 * client named another version (RFC 9110 section 13.1.1); without `If-Match` it does nothing. It is right only where nobody else
 * can change the thing between check and change: in the function that a repository's `change` asks, or on a row that is
 * locked.
 */
export type Precondition = <Thing>(toBody: (thing: Thing) => object) => (thing: Thing) => void;

const preconditionOf =
  (given: string | undefined): Precondition =>
  (toBody) =>
  (thing) => {
    if (given === undefined || given.trim() === '*') return;
    // Strong comparison: a weak tag, and what is no tag at all, is never equal to ours, which has no comma in it.
    const tags = given.split(',').map((tag) => tag.trim());
    if (tags.includes(entityTag(writeJson(toBody(thing)), false))) return;
    throw new ApiException('precondition_failed', 'It has changed since. Get it again, and decide anew.');
  };

const ifMatch = createParamDecorator((_: unknown, context: ExecutionContext) =>
  preconditionOf(context.switchToHttp().getRequest<Request>().headers['if-match']),
);

const DESCRIPTION =
  'The `ETag` of what you have; if it is no longer current, nothing is done and the answer is 412. `*` is any version.';

/** The `If-Match` of the request, as a `Precondition`. The document tells of it. */
export const IfMatch = (): ParameterDecorator => (controller, name, index) => {
  ifMatch()(controller, name, index);
  const method = Object.getOwnPropertyDescriptor(controller, name!)!;
  const header = { name: 'If-Match', description: DESCRIPTION, schema: { type: 'string' } };
  ApiHeader(header)(controller, name!, method);
  ApiErrors('precondition_failed')(controller, name!, method);
};
