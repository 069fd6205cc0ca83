import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { SUCCESS, type Success } from '../../src/platform/http/openapi/operation.decorator.js';
import type { Route } from '../../src/platform/http/routes/routes.js';
import { handlerOf } from './handlers.js';
import { sentHeadersOf } from '../../src/platform/http/routes/route-parameters.js';
import { toHeaderObjects } from './headers.js';
import type { Response } from './openapi-types.js';

/** The successful response of a handler, as `@Operation` declares it. The service itself needs only the status. */
export const successOf = (route: Route) =>
  Reflect.getMetadata(SUCCESS, handlerOf(route)) as Success | undefined;

/** Adds the class of the response body to the document. */
export function includeBody(route: Route): void {
  const { body } = successOf(route) ?? {};
  const { controller, property } = route;
  if (body) ApiExtraModels(body)(controller.prototype as object, property, { value: handlerOf(route) });
}

/** The successful response in the document, by its status. Without `@Operation` there is none. */
export function successResponse(route: Route): Record<string, Response> {
  const success = successOf(route);
  if (!success) return {};
  const { status, description, body, content, listName, headers = {}, links = {} } = success;
  const schema = body && { $ref: listName ? `#/components/schemas/${listName}` : getSchemaPath(body) };
  return {
    [status]: {
      description,
      headers: toHeaderObjects(headers),
      ...((schema || content) && {
        content: { ...(schema && { 'application/json': { schema } }), ...content },
      }),
      links: Object.fromEntries(
        Object.entries(links).map(([operationId, parameters]) => [operationId, { operationId, parameters }]),
      ),
    },
  };
}

/** Adds to successful responses the headers that decorators of parameters let the handler set. */
export function withSentHeaders(
  responses: Readonly<Record<string, Response>>,
  route: Route,
): Record<string, Response> {
  const sent = toHeaderObjects(sentHeadersOf(handlerOf(route)));
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      Number(status) < 300 ? { ...response, headers: { ...sent, ...response.headers } } : response,
    ]),
  );
}
