import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { Int64 } from '../../kernel/int64.js';
import { requestOf } from './request.js';
import { documentedParameter, readsOnlyDeclared } from './routes/route.decorators.js';
import { ID_SCHEMA } from './validation/dto.decorators.js';

interface IdParameter {
  readonly name: string;
  readonly notFound: new () => Error;
}

const idOf = createParamDecorator(
  readsOnlyDeclared(({ name, notFound }: IdParameter, context: ExecutionContext): Int64 => {
    const { params } = requestOf<Request<Record<string, string>>>(context);
    const id = Int64.parse(params[name]!);
    // The smallest id is 1.
    if (id === undefined || id < 1n) throw new notFound();
    return id;
  }),
);

/**
 * The id in the parameter `name` of the path, such as `petId`, with its part of the OpenAPI document. A malformed id is rejected with the
 * same error as an unknown id, without a look-up.
 */
export const Id = (
  name: string,
  notFound: new () => Error,
  description = `Identifier of the ${nounOf(name)}.`,
): ParameterDecorator =>
  documentedParameter(idOf({ name, notFound }), ApiParam({ name, description, schema: ID_SCHEMA }));

/** The noun in the name of a parameter: `lost cat` for `lostCatId`. */
const nounOf = (name: string) =>
  name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
