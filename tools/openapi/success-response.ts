import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { Handler } from '../../src/platform/http/handlers.js';
import { SUCCESS, type Success } from '../../src/platform/http/openapi/operation.decorator.js';
import { toHeaderObjects } from './headers.js';
import type { Response } from './openapi-types.js';

/** What a handler with `@Operation` says of its good answer; the service itself needs the status only. */
export const successOf = ({ method }: Handler) => Reflect.getMetadata(SUCCESS, method) as Success | undefined;

/** Has @nestjs/swagger describe the class of its body. */
export function includeBody(handler: Handler): void {
  const { body } = successOf(handler) ?? {};
  const { controller, name, method } = handler;
  if (body) ApiExtraModels(body)(controller.prototype as object, name, { value: method });
}

/** That answer in the document, by its status; none without `@Operation`. */
export function successResponse(handler: Handler): Record<string, Response> {
  const success = successOf(handler);
  if (!success) return {};
  const { status, description, body, listName, headers = {}, links = {} } = success;
  const schema = body && { $ref: listName ? `#/components/schemas/${listName}` : getSchemaPath(body) };
  return {
    [status]: {
      description,
      headers: toHeaderObjects(headers),
      ...(schema && { content: { 'application/json': { schema } } }),
      links: Object.fromEntries(
        Object.entries(links).map(([operationId, parameters]) => [operationId, { operationId, parameters }]),
      ),
    },
  };
}
