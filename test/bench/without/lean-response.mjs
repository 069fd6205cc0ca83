import { ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from '../../../dist/platform/http/server/security-headers.js';

/** Uses Node's own header storage. */
export class LeanResponse extends ServerResponse {
  begunAt = performance.now();

  constructor(...args) {
    super(...args);
    for (const [name, value] of SECURITY_HEADERS) this.setHeader(name, value);
  }

  end(...args) {
    this.observer?.answered();
    return super.end(...args);
  }
}
