export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  /** The result, in one sentence. */
  readonly what: string;
  /** What to do about it; absent if all is well. */
  readonly remedy?: string;
}

/** What a check requires: nothing, a database that answers, all its migrations, or also tables that can be read. */
export type Requirement = 'nothing' | 'database' | 'schema' | 'tables';

/** A check of `petstore doctor`. A module adds one by listing the class among its providers. Checks change nothing. */
export abstract class Check {
  /** One or two words. */
  abstract readonly name: string;
  /** A problem found by a check that needs `schema` prevents the start of the service. */
  abstract readonly needs: Requirement;
  /** Whether the check also runs at the start of the service, which logs problems that do not prevent serving. */
  readonly atStart: boolean = false;
  /** @throws Error, which counts as a problem */
  abstract run(): Promise<CheckResult[]>;

  /** What `petstore doctor --fix` can repair; it asks before each repair. */
  repairs(): Promise<Repair[]> {
    return Promise.resolve([]);
  }
}

export interface Repair {
  /** What the repair does, in the imperative. */
  readonly what: string;
  run(): Promise<void>;
}

export const ok = (what: string): CheckResult => ({ state: 'ok', what });
export const warning = (what: string, remedy: string): CheckResult => ({ state: 'warning', what, remedy });
export const problem = (what: string, remedy: string): CheckResult => ({ state: 'problem', what, remedy });
