import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../../src/platform/json/parse-json.js';

/** Sends requests with a valid key, and with headers whose values must not appear in responses. */
export interface Provoker {
  /** Responses are recorded: they must contain no secrets. */
  send(method: string, path: string, body?: object): Promise<void>;
  add(path: string, body: object): Promise<number>;
}

/** What the tests that cover all modules need to know about one; declared in test/modules/<module>.ts. */
export interface ModuleFacts {
  /** Provokes each of the module's own errors, except the error for an unknown id, which every module has. */
  provoke?(provoker: Provoker): Promise<void>;
  /** Rules across fields, by operation: whether a body that fits its schema, or a query if there is no body, is accepted. */
  readonly rules?: Readonly<Record<string, (fields: Readonly<Record<string, JsonValue>>) => boolean>>;
  /** Operations that may reject a body because of the stored state, such as a PATCH with a rule across fields. */
  readonly judgedByState?: readonly string[];
}

/** The remedy when a request that fits the document is rejected with 400. */
export const RULE =
  'The document does not say why. Let a decorator of the DTO say it; a rule across fields is named under `rules` in test/modules/<module>.ts, one about what is stored under `judgedByState`.';

/** The remedy when the OpenAPI document describes a module in a way that a test rejects. */
export const DOCUMENTED =
  'The decorators in adapters/http of the module describe it: change its *.dto.ts or *.operations.ts, then run npm run document.';

const FOLDER = join(import.meta.dirname, '../modules');

export function factsOfModules(): Promise<ModuleFacts[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.map(async (file) => ((await import(join(FOLDER, file))) as { default: ModuleFacts }).default),
  );
}
