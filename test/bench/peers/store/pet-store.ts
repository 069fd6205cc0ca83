import type { PetStatus } from '../shared.js';

export type Eventually<Value> = Value | Promise<Value>;

/**
 * The table of the service, with SQL by hand: a statement for each request, prepared once. Answers are JSON, in which all
 * integers are exact. Ids of new pets are counted in memory: right for one process only, and less work than the service's
 * reserved blocks of ids.
 */
export interface PetStore {
  find(id: string): Eventually<string | undefined>;
  /** Newest first; of a status if there is one, and only what has a smaller id than `before` if there is one. */
  list(status: PetStatus | undefined, before: string | undefined, limit: number): Eventually<string>;
  add(name: string, categoryId: number, status: PetStatus): Eventually<string>;
  close(): Eventually<void>;
}

/** Which of the four statements a list needs. */
export function kindOf(status: string | undefined, before: string | undefined) {
  if (status === undefined) return before === undefined ? 'all' : 'before';
  return before === undefined ? 'status' : 'statusBefore';
}

export type PetRow = readonly [
  id: number | string,
  name: string,
  categoryId: number | string,
  status: PetStatus,
];

export const jsonOf = ([id, name, categoryId, status]: PetRow): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
