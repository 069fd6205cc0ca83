import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { errorCatalogue } from '../errors/error-catalogue.js';
import { REFUSALS } from '../errors/possible-errors.js';
import { ErrorBody } from './error-body.dto.js';
import { described, EVERYWHERE, ON_ERROR } from './headers.js';

/**
 * Names the error codes that an operation may answer with; several of these add up. A code must be in the catalogue before:
 * a module adds its own with `describeErrors`.
 */
export function Refuses(...codes: string[]): MethodDecorator {
  const note: MethodDecorator = (_, __, { value }: PropertyDescriptor) => {
    const before = (Reflect.getMetadata(REFUSALS, value as object) as string[] | undefined) ?? [];
    Reflect.defineMetadata(REFUSALS, [...before, ...codes], value as object);
  };
  return applyDecorators(note, ...codes.map(refusal));
}

function refusal(code: string): MethodDecorator {
  const entry = errorCatalogue.get(code);
  if (!entry) throw new Error(`The error code ${code} is not in the catalogue: add it with describeErrors.`);
  const { status, meaning, remedy } = entry;
  return ApiResponse({
    status,
    description: `\`${code}\`: ${meaning}`,
    type: ErrorBody,
    headers: described({ ...EVERYWHERE, ...ON_ERROR[status] }),
    examples: { [code]: { summary: meaning, value: { code, message: `${meaning} ${remedy}`, status } } },
  });
}
