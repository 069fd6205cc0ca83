import type { Request } from 'express';
import { LeanResponse } from '../server/lean-response.js';
import { readBody } from './read-body.js';

const BODY = Symbol('body');

type Read = Request & { [BODY]?: Promise<Buffer> };

/** The body of a request, read once, however many ask for it. @throws HttpRefusal, as `readBody` does */
export function bodyOf(request: Request, limit: number): Promise<Buffer> {
  const read = request as Read;
  read[BODY] ??= receive(request, limit);
  return read[BODY];
}

async function receive(request: Request, limit: number): Promise<Buffer> {
  const response = request.res instanceof LeanResponse ? request.res : undefined;
  response?.observer?.upload(response);
  try {
    return await readBody(request, limit, () => {
      if (request.headers.expect !== undefined) request.res?.writeContinue();
    });
  } finally {
    response?.observer?.uploaded(response);
  }
}
