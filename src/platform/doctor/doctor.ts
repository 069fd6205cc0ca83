import type { Check, Finding, Ground } from './check.js';

/** A finding and the name of its check. */
export type Diagnosis = Finding & { readonly check: string };

/** So long may one check take, in ms. */
const PATIENCE = 2_000;

/** Looks at everything, one after the other: what needs a ground that is not there is left out. */
export class Doctor {
  /** `checks` is asked when all of them are there. */
  constructor(private readonly checks: () => readonly Check[]) {}

  /** The findings of all checks that stand on this ground, in the order of their names. */
  async lookAt(ground: Ground): Promise<Diagnosis[]> {
    const due = this.checks().filter(({ needs }) => needs === ground);
    const found = await Promise.all(due.map(examine));
    return found.flat().sort((one, other) => one.check.localeCompare(other.check));
  }
}

async function examine(check: Check): Promise<Diagnosis[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    return (await Promise.race([check.look(), late])).map((finding) => ({ check: check.name, ...finding }));
  } catch (error) {
    const what = `The check failed: ${reasonOf(error)}`;
    return [
      {
        check: check.name,
        state: 'problem',
        what,
        remedy: 'Look at what it says, then run the doctor again.',
      },
    ];
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  const reason = cause instanceof Error ? cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}
