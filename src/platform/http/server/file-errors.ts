import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { toErrorResponse } from '../errors/error-response.js';
import { answerWithError } from '../errors/write-error.js';

/** The source of the error handler with which Nest makes each file. Each file has a function of its own, but all have this source. */
const HANDLER_OF_NEST = String(new StreamableFile(Buffer.alloc(0)).errorHandler);

/**
 * Answers 500 if the content of a file cannot be read, unless the module has set another error handler. The handler of Nest answers
 * 400, although the client has not made a mistake.
 */
export function withErrorHandler(file: StreamableFile, response: Response): StreamableFile {
  const { errorHandler } = file;
  if (String(errorHandler) !== HANDLER_OF_NEST) return file;
  return file.setErrorHandler((error, target) => {
    // Nothing, or a part of the file, was sent.
    if (target.destroyed || target.headersSent) {
      errorHandler(error, target);
      return;
    }
    file.errorLogger(error);
    response.removeHeader('Content-Disposition');
    answerWithError(response, toErrorResponse(error));
  });
}
