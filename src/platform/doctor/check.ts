/** What a check found. */
export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  /** The finding, in one sentence. */
  readonly what: string;
  /** What to do about it; absent where all is well. */
  readonly remedy?: string;
}

/** What a check requires: nothing, a database that answers, or its tables as well. */
export type Requirement = 'nothing' | 'database' | 'tables';

/**
 * A check of `petstore doctor`. A module adds one by listing the class among its providers. Looking changes nothing.
 */
export abstract class Check {
  /** One or two words. */
  abstract readonly name: string;
  abstract readonly needs: Requirement;
  /** @throws Error which is a problem, too */
  abstract look(): Promise<CheckResult[]>;

  /** What `petstore doctor --fix` can do about it, each after asking. */
  repairs(): Promise<Repair[]> {
    return Promise.resolve([]);
  }
}

/** One change that mends something. */
export interface Repair {
  /** What it does, as an order. */
  readonly what: string;
  run(): Promise<void>;
}

export const ok = (what: string): CheckResult => ({ state: 'ok', what });
export const warning = (what: string, remedy: string): CheckResult => ({ state: 'warning', what, remedy });
export const problem = (what: string, remedy: string): CheckResult => ({ state: 'problem', what, remedy });
