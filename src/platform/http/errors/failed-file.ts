import { HttpStatus, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { toErrorResponse } from './error-response.js';
import { answerWithError } from './write-error.js';

/**
 * Answers a file that cannot be read, for example because it is missing, in the Error body. The error handler of the file runs as
 * it would without us; what Nest's own says, `Bad Request` with 400, is no fault of the client and is answered as a failure.
 */
export function answerFailedFile(file: StreamableFile): void {
  const handle = file.errorHandler;
  file.setErrorHandler((error, answer) => {
    const response = answer as unknown as Response;
    // Once the answer has begun, Nest's handler cuts it, so that it does not look complete.
    if (response.destroyed || response.headersSent) return handle(error, answer);
    handle(error, {
      destroyed: false,
      headersSent: false,
      statusCode: response.statusCode,
      send(text) {
        const isOfNest = this.statusCode === (HttpStatus.BAD_REQUEST as number) && text === 'Bad Request';
        if (!isOfNest) return void response.status(this.statusCode).send(text);
        response.removeHeader('Content-Disposition');
        answerWithError(response.req, response, toErrorResponse(error));
      },
      end() {
        response.status(this.statusCode).end();
      },
      destroy: (reason) => void response.destroy(reason),
    });
  });
}
