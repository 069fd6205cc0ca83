import type { Request } from 'express';
import { readBody } from './read-body.js';

const BODY = Symbol('body');

type Read = Request & { [BODY]?: Promise<Buffer> };

/** The body of a request, read once, however many ask for it. @throws HttpRefusal, as `readBody` does */
export function bodyOf(request: Request, limit: number): Promise<Buffer> {
  const read = request as Read;
  read[BODY] ??= readBody(request, limit, () => {
    if (request.headers.expect !== undefined) request.res?.writeContinue();
  });
  return read[BODY];
}
