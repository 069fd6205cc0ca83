import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { toErrorResponse } from './error-response.js';
import { answerWithError } from './write-error.js';

/** Nest gives each file a new handler function, so only its source shows whether `setErrorHandler` was called. */
const HANDLER_OF_NEST = String(new StreamableFile(new Uint8Array()).errorHandler);

/**
 * Answers a file that cannot be read, for example because it is missing, in the Error body, where Nest answers `Bad Request` as
 * text. An error handler that the module has set is kept.
 */
export function answerFailedFile(file: StreamableFile): void {
  const answerOfNest = file.errorHandler;
  if (String(answerOfNest) !== HANDLER_OF_NEST) return;
  file.setErrorHandler((error, answer) => {
    const response = answer as unknown as Response;
    // Once the answer has begun, Nest's handler cuts it, so that it does not look complete.
    if (response.destroyed || response.headersSent) return answerOfNest(error, answer);
    file.errorLogger(error);
    response.removeHeader('Content-Disposition');
    answerWithError(response.req as Request, response, toErrorResponse(error));
  });
}
