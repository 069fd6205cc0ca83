import { DECORATORS } from '@nestjs/swagger';

/** The name of an operation in the document; that of its method where it has none. */
export function operationNameOf(handler: { readonly name: string }): string {
  const documented = Reflect.getMetadata(DECORATORS.API_OPERATION, handler) as
    { operationId?: string } | undefined;
  return documented?.operationId ?? handler.name;
}
