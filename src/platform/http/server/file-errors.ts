import { HttpStatus, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { toErrorResponse } from '../errors/error-response.js';
import { answerWithError } from '../errors/write-error.js';

/**
 * Answers 500 if the content of a file cannot be read. The error handler of Nest answers 400, although the client has made no mistake.
 * Any other status, which the error handler of a module may choose, is sent.
 */
export function withErrorHandler(file: StreamableFile, response: Response): StreamableFile {
  const { errorHandler } = file;
  return file.setErrorHandler((error, target) => {
    // Nothing can be sent any more, or a part of the file was sent.
    if (target.destroyed || target.headersSent) {
      errorHandler(error, target);
      return;
    }
    const send = (text?: string) => {
      if (chosen.statusCode !== HttpStatus.BAD_REQUEST.valueOf()) {
        response.status(chosen.statusCode).send(text);
        return;
      }
      answerWithError(response, toErrorResponse(error));
    };
    const chosen = {
      destroyed: false,
      headersSent: false,
      statusCode: response.statusCode,
      send,
      end: () => send(),
      destroy: (cause?: Error) => void response.destroy(cause),
    };
    errorHandler(error, chosen);
  });
}
