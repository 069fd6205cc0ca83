import type { ApiKeyService } from './api-key-service.js';

/** The actor in the history of these keys. */
const ACTOR = 'the service, at its start';

/** Makes sure that a new service has a key that works. */
export class BootstrapKeys {
  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly bootstrapSecret: string | undefined,
    private readonly mayIssue: boolean,
  ) {}

  /**
   * Registers the operator's bootstrap key. If there is no key at all, issues a test key if it may.
   * @returns the secret of the issued key
   */
  async ensureKeys(): Promise<string | undefined> {
    if (this.bootstrapSecret !== undefined)
      await this.apiKeys.register('bootstrap', this.bootstrapSecret, ACTOR);
    if (!this.mayIssue || !(await this.apiKeys.isEmpty())) return undefined;
    return (await this.apiKeys.issue({ name: 'first start' }, 'test', ACTOR)).secret;
  }
}
