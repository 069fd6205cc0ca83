import type { IncomingMessage } from 'node:http';

/** Decides who may see why the service is not ready; implemented by the module that knows callers. */
export abstract class Operators {
  /**
   * Whether a request comes from an operator: not without a credential, with a bad one, or when that cannot be decided.
   * It never throws, and takes no longer than a probe may.
   */
  abstract isOperator(request: IncomingMessage): Promise<boolean>;
}
