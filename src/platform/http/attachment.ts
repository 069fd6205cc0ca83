import { win32 } from 'node:path';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { create } from 'content-disposition';
import { requestOf } from './request.js';
import { documentedParameter, readsOnlyDeclared, SentHeader } from './routes/route.decorators.js';

/**
 * Sets `Content-Disposition` (RFC 6266), so that clients save the response as a file of this name. Folders in the name are removed. A
 * name that is not ASCII is also sent as `filename*` (RFC 8187).
 */
export type SetAttachment = (fileName: string) => void;

const setAttachment = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext): SetAttachment => {
    const response = requestOf(context).res!;
    return (fileName) => {
      // `win32` knows both separators. A half of a surrogate pair cannot be encoded.
      const name = win32.basename(fileName).toWellFormed();
      response.setHeader('Content-Disposition', create(name || undefined));
    };
  }),
);

const DESCRIPTION = '`attachment`, with the name under which to save the content (RFC 6266).';

/** On a parameter of the handler of a download: the function that sets `Content-Disposition`, with its part of the OpenAPI document. */
export const Attachment = (): ParameterDecorator =>
  documentedParameter(
    setAttachment(),
    SentHeader('Content-Disposition', { description: DESCRIPTION, required: true }),
  );
