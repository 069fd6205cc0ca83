import type { Problem } from '../../../kernel/domain-error.js';
import { type HttpErrorCode, STATUS_OF_CODE } from './error-codes.js';

/** Seconds after which a client whom we could not serve may try again. */
export const RETRY_AFTER = { 'Retry-After': '1' };

/** What a client is told besides code and message. */
interface RefusalExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** `field` as the client knows it: a JSON pointer, or `query.` and the parameter's name. */
  readonly details?: readonly Problem[];
  readonly cause?: unknown;
}

/** A request that is refused for what it is as HTTP, before any domain has a say. */
export class ApiException extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly Problem[] | undefined;

  constructor(
    readonly code: HttpErrorCode,
    message: string,
    { headers = {}, details, cause }: RefusalExtras = {},
  ) {
    super(message, { cause });
    this.status = STATUS_OF_CODE[code];
    this.headers = this.status === 503 ? { ...RETRY_AFTER, ...headers } : headers;
    this.details = details;
  }
}
