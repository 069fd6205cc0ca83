import { resolve } from 'node:path';

export interface NodeVersion {
  /** The path of the program. */
  readonly program: string;
  /** Environment variables with which npm runs on this Node.js, and installs better-sqlite3 for it. */
  readonly environment: { readonly PATH: string } & Readonly<Record<string, string>>;
}

const file: string = resolve(import.meta.dirname, '../../node/versions.mjs');

export const { nodeOf, SHIPPED } = (await import(file)) as {
  /** Node.js of a major version: the running Node.js, or else the Node.js of the npm registry. */
  nodeOf(major: string): NodeVersion;
  /** The major version of Node that the image has. */
  readonly SHIPPED: string;
};
