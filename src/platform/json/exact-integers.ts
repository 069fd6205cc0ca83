import { readNumber } from './json-number.js';

/**
 * The property of an object or array that contains integers which a number does not hold. It has their exact values by the names
 * of the members, and undefined for a member in which such an integer is at some depth. Copies and `JSON.stringify` leave it out,
 * because it is not enumerable. A WeakMap would keep requests alive: docs/decisions/0052-shared-work.md.
 */
const EXACT = Symbol('exact integers');

type Holder = Record<string, unknown> & { [EXACT]?: Map<string, bigint | undefined> };

/** Keeps the exact value of a member, or without a value that the member contains integers which a number does not hold. */
export function keepExact(holder: object, name: string, exact?: bigint): void {
  const kept = (holder as Holder)[EXACT];
  if (kept) kept.set(name, exact);
  else Object.defineProperty(holder, EXACT, { value: new Map([[name, exact]]) });
}

/**
 * The exact value of a member of an object or array that `parseJson` made, if it is an integer that a number does not hold.
 * Undefined for every other member, and after another value was assigned to the member.
 */
export function exactOf(holder: unknown, name: string | number): bigint | undefined {
  const exact = (holder as Holder | null | undefined)?.[EXACT]?.get(String(name));
  return exact !== undefined && (holder as Holder)[name] === Number(exact) ? exact : undefined;
}

/** Sets a member to the number that a JSON literal means, and keeps its exact value beside it, as `parseJson` does. */
export function setNumber(holder: Record<string, unknown>, name: string, literal: string): void {
  const value = readNumber(literal);
  holder[name] = Number(value);
  if (typeof value === 'bigint') keepExact(holder, name, value);
}

/** An integer that a number does not hold, and its place in a value that `parseJson` made. */
interface ExactInteger {
  readonly path: readonly string[];
  /** The object or array that has the integer, as the member `name`. */
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly exact: bigint;
}

/** The integers in `value` that a number does not hold. Only the members that lead to such an integer are visited. */
export function exactIntegersIn(value: unknown): ExactInteger[] {
  const found: ExactInteger[] = [];
  const at: string[] = [];
  const collect = (holder: Holder | null | undefined) => {
    for (const name of holder?.[EXACT]?.keys() ?? []) {
      at.push(name);
      const exact = exactOf(holder, name);
      if (exact === undefined) collect(holder![name] as Holder | null | undefined);
      else found.push({ path: [...at], holder: holder!, name, exact });
      at.pop();
    }
  };
  collect(value as Holder | null | undefined);
  return found;
}
