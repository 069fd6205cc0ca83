import type { PetStatus } from '../shared.js';

export type Eventually<Value> = Value | Promise<Value>;

/**
 * The service's table, with hand-written SQL: one statement per request, prepared once. Results are JSON with exact
 * integers. Ids of new pets are counted in memory: correct for one process only, and less work than the service's reserved
 * blocks of ids.
 */
export interface PetStore {
  find(id: string): Eventually<string | undefined>;
  /** Newest first; optionally with one status only, and only ids smaller than `before`. */
  list(status: PetStatus | undefined, before: string | undefined, limit: number): Eventually<string>;
  add(name: string, categoryId: number, status: PetStatus): Eventually<string>;
  close(): Eventually<void>;
}

/** Selects one of the four list statements. */
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
