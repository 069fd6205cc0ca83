import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { writeJson } from '../json/write-json.js';
import { ApiException } from './errors/api-exception.js';
import { requestOf } from './request.js';
import { ApiErrors, documentedParameter, readsOnlyDeclared } from './routes/route.decorators.js';
import { entityTag } from './server/send-json.js';

/**
 * Makes a check of a thing before it is changed. `toBody` makes the body that GET returns for the thing. The check throws if `If-Match`
 * names another version (RFC 9110 section 13.1.1). Without that header the check does nothing. Use it only where the thing cannot be
 * changed between check and change: in the function passed to a repository's `change`, or on a locked row.
 */
export type Precondition = <Thing>(toBody: (thing: Thing) => object) => (thing: Thing) => void;

const WEAK =
  '`If-Match` has a weak tag, such as the tag of a list, which matches nothing. Send the `ETag` of the single resource.';

const preconditionOf =
  (given: string | undefined): Precondition =>
  (toBody) =>
  (thing) => {
    if (given === undefined || given.trim() === '*') return;
    // The comparison is strong, so a weak tag and a malformed tag do not equal the current tag. The current tag contains no comma.
    const tags = given.split(',').map((tag) => tag.trim());
    if (tags.includes(entityTag(writeJson(toBody(thing)), false))) return;
    const isWeak = tags.every((tag) => tag.startsWith('W/'));
    throw new ApiException('precondition_failed', isWeak ? WEAK : undefined);
  };

const ifMatch = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext) =>
    preconditionOf(requestOf(context).headers['if-match']),
  ),
);

const DESCRIPTION =
  'The `ETag` of the version that you have seen. If the current version has another `ETag`, nothing is changed and the response is 412. `*` stands for any version.';

/** On a parameter of a handler: the `If-Match` of the request as a `Precondition`, with its part of the OpenAPI document. */
export const IfMatch = (): ParameterDecorator =>
  documentedParameter(
    ifMatch(),
    ApiHeader({ name: 'If-Match', description: DESCRIPTION, schema: { type: 'string' } }),
    ApiErrors('precondition_failed'),
  );
