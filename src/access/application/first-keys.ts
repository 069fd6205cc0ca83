import type { KeyRing } from './key-ring.js';

/** Who appears in the history of these keys. */
const ACTOR = 'the service, at its start';

/** Sees to it that somebody can use a service that was just set up. */
export class FirstKeys {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly bootstrapSecret: string | undefined,
    private readonly mayIssue: boolean,
  ) {}

  /**
   * Registers the operator's bootstrap key. Where there is no key at all, issues a test key if it may.
   * @returns the secret of a key issued just now
   */
  async provide(): Promise<string | undefined> {
    if (this.bootstrapSecret !== undefined)
      await this.keyRing.register('bootstrap', this.bootstrapSecret, ACTOR);
    if (!this.mayIssue || !(await this.keyRing.isEmpty())) return undefined;
    return (await this.keyRing.issue({ name: 'first start' }, 'test', ACTOR)).secret;
  }
}
