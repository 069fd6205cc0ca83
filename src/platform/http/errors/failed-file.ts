import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { toErrorResponse } from './error-response.js';
import { answerWithError } from './write-error.js';

/** Each file has a function of its own for this, so only their text tells whether `setErrorHandler` was called. */
const HANDLER_OF_NEST = String(new StreamableFile(new Uint8Array()).errorHandler);

/**
 * Answers what could not be read from its beginning, such as a file that is missing, in the Error body, where Nest answers
 * `Bad Request` as a text. An error handler of the module's own is left as it is.
 */
export function answerFailedFile(file: StreamableFile): void {
  const answerOfNest = file.errorHandler;
  if (String(answerOfNest) !== HANDLER_OF_NEST) return;
  file.setErrorHandler((error, answer) => {
    const response = answer as unknown as Response;
    // Nest cuts an answer that has begun, so that it does not look whole.
    if (response.destroyed || response.headersSent) return answerOfNest(error, answer);
    file.errorLogger(error);
    response.removeHeader('Content-Disposition');
    answerWithError(response.req as Request, response, toErrorResponse(error));
  });
}
