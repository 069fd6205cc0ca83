import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { Int64 } from '../../kernel/int64.js';
import { ID_SCHEMA } from './validation/dto.decorators.js';

/** No row has it: ids begin with 1. */
const NOTHING = 0n;

interface Notes {
  readonly description?: string;
  /** Thrown for a text that is no id, by operations that succeed on what is not there, such as DELETE. */
  readonly refusal?: new () => Error;
}

const idOf = createParamDecorator(
  ({ name, refusal }: Notes & { name: string }, context: ExecutionContext): Int64 => {
    const { params } = context.switchToHttp().getRequest<Request<Record<string, string>>>();
    const id = Int64.parse(params[name]!);
    if (id === undefined && refusal) throw new refusal();
    return id ?? NOTHING;
  },
);

/**
 * The id in the parameter `name` of the path, such as `petId`, with its part of the document. A text that is no id is the id of
 * nothing, which use cases refuse like every id that they do not find.
 */
export const Id =
  (
    name: string,
    { description = `Identifier of the ${nounOf(name)}.`, refusal }: Notes = {},
  ): ParameterDecorator =>
  (controller, handler, index) => {
    idOf({ name, ...(refusal && { refusal }) })(controller, handler, index);
    const method = Object.getOwnPropertyDescriptor(controller, handler!)!;
    ApiParam({ name, description, schema: ID_SCHEMA })(controller, handler!, method);
  };

/** `lost cat` of `lostCatId`. */
const nounOf = (name: string) =>
  name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
