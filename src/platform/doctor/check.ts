export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  /** The finding, in one sentence. */
  readonly what: string;
  /** What to do about it; absent where all is well. */
  readonly remedy?: string;
}

/** What a check requires: nothing, a database that answers, all its migrations, or tables that can be read as well. */
export type Requirement = 'nothing' | 'database' | 'schema' | 'tables';

/**
 * A check of `petstore doctor`. A module adds one by listing the class among its providers. Looking changes nothing.
 */
export abstract class Check {
  /** One or two words. */
  abstract readonly name: string;
  /** What a check of `schema` calls a problem is broken: the service does not start with it. */
  abstract readonly needs: Requirement;
  /** Whether the service looks at its start, too, and logs what it finds: what it can serve in spite of, but not well. */
  readonly atStart: boolean = false;
  /** @throws Error which is a problem, too */
  abstract look(): Promise<CheckResult[]>;

  /** What `petstore doctor --fix` can do about it, each after asking. */
  repairs(): Promise<Repair[]> {
    return Promise.resolve([]);
  }
}

export interface Repair {
  /** What it does, as an order. */
  readonly what: string;
  run(): Promise<void>;
}

export const ok = (what: string): CheckResult => ({ state: 'ok', what });
export const warning = (what: string, remedy: string): CheckResult => ({ state: 'warning', what, remedy });
export const problem = (what: string, remedy: string): CheckResult => ({ state: 'problem', what, remedy });
