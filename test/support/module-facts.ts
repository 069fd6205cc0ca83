import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../../src/platform/json/parse-json.js';

/** Sends requests with a good key and with something in their headers that must not come back. */
export interface Provoker {
  /** What it is answered is kept: it must hold nothing that is secret. */
  send(method: string, path: string, body?: object): Promise<void>;
  /** Adds a thing. @returns its id */
  add(path: string, body: object): Promise<number>;
}

/** What the tests that know no module must know of one, as it stands in test/modules/<module>.ts. */
export interface ModuleFacts {
  /** Meets each of the module's own refusals, except for those of an id that is not there, which every module has. */
  provoke?(provoker: Provoker): Promise<void>;
  /** Rules across the fields of a body, by operation: whether a body that fits its schema is accepted. */
  readonly rules?: Readonly<Record<string, (body: Readonly<Record<string, JsonValue>>) => boolean>>;
  /** Operations whose body may be refused for what is stored, such as a PATCH with a rule across fields. */
  readonly judgedByState?: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../modules');

/** The facts of all modules. */
export function factsOfModules(): Promise<ModuleFacts[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.map(async (file) => ((await import(join(FOLDER, file))) as { default: ModuleFacts }).default),
  );
}
