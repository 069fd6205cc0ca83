import type { Request } from 'express';

/** Whether an error is to be a problem (RFC 9457): only a client that names the media type gets it; else JSON will do. */
export function wantsProblem(request: Request): boolean {
  const named = request.headers.accept?.toLowerCase().includes('application/problem+json');
  return (
    named === true &&
    request.accepts(['application/json', 'application/problem+json']) === 'application/problem+json'
  );
}
