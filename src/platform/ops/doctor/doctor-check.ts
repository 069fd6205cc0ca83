/** The result of a check, in one sentence. If something is wrong, `remedy` says what to do. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly what: string;
  readonly remedy?: string;
}

export const ok = (what: string): Finding => ({ state: 'ok', what });
export const warning = (what: string, remedy: string): Finding => ({ state: 'warning', what, remedy });
export const problem = (what: string, remedy: string): Finding => ({ state: 'problem', what, remedy });

/** A check of the start and of `petstore doctor` that a module adds. The module lists the class among its providers. */
export abstract class DoctorCheck {
  abstract readonly name: string;
  abstract run(): Promise<Finding[]>;
}
