/** What a check found. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  /** What is so, or wrong, in one sentence. */
  readonly what: string;
  /** What to do about it; absent where all is well. */
  readonly remedy?: string;
}

/** What must be there for a check to make sense: nothing, a database that answers, or its tables as well. */
export type Ground = 'nothing' | 'database' | 'tables';

/**
 * One thing that `petstore doctor` looks at. Whoever provides one in a module, under its own class, has it looked at.
 * A check changes nothing.
 */
export abstract class Check {
  /** One or two words. */
  abstract readonly name: string;
  abstract readonly needs: Ground;
  /** @throws Error which is a problem, too */
  abstract look(): Promise<Finding[]>;
}

export const ok = (what: string): Finding => ({ state: 'ok', what });
export const warning = (what: string, remedy: string): Finding => ({ state: 'warning', what, remedy });
export const problem = (what: string, remedy: string): Finding => ({ state: 'problem', what, remedy });
