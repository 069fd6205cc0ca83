import { resolve } from 'node:path';

export interface NodeVersion {
  /** The path of the program. */
  readonly program: string;
  /** With these npm runs on it, and installs better-sqlite3 for it. */
  readonly environment: { readonly PATH: string } & Readonly<Record<string, string>>;
}

const file: string = resolve(import.meta.dirname, '../../node/versions.mjs');

export const { nodeOf, SHIPPED } = (await import(file)) as {
  /** Node of a major version: the running one, or else that of the npm registry. */
  nodeOf(major: string): NodeVersion;
  /** The major version of Node that the image has. */
  readonly SHIPPED: string;
};
