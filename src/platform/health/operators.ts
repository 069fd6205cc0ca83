import type { IncomingMessage } from 'node:http';

/** Who may be told why the service is not ready; fulfilled by whoever knows callers. */
export abstract class Operators {
  /**
   * Whether a request comes from an operator. Without a credential, with a bad one, and when nobody can tell, it does not.
   * It never throws, and takes no longer than a probe may.
   */
  abstract sent(request: IncomingMessage): Promise<boolean>;
}
