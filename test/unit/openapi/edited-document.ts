import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

type Part = Record<string, unknown>;
export interface Document extends Part {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
  readonly components: Record<string, Part>;
}

/** New values by place: `Pet properties name`, `listPets parameters 2`, `limit schema`, or from the root, such as `servers 0`. */
export type Edits = Readonly<Record<string, unknown>>;

/** The report of a change, the change, and how the document that clients know differs from the released document. */
export type Row = [told: string | string[], edits: Edits, known?: Edits];

/** Instead of a new value: the place is removed. */
export const GONE = Symbol('gone');
class Move {
  constructor(readonly place: string) {}
}
export const moveTo = (place: string) => new Move(place);

/** The document of a release, which never changes. */
export const released = JSON.parse(readFileSync(join(ROOT, 'docs/releases/1.1.0.json'), 'utf8')) as Document;

export function edited(document: Document, edits: Edits): Document {
  const copy = structuredClone(document);
  const find = (place: string): [owner: Part, key: string] => {
    const keys = keysOf(document, place);
    const owner = keys.slice(0, -1).reduce((part, key) => part[key] as Part, copy as Part);
    return [owner, keys.at(-1)!];
  };
  for (const [place, value] of Object.entries(edits)) {
    const [owner, key] = find(place);
    const { [key]: old } = owner;
    if (value !== GONE && !(value instanceof Move)) owner[key] = value;
    else if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else delete owner[key];
    if (value instanceof Move) {
      const [newOwner, newKey] = find(value.place);
      newOwner[newKey] = old;
    }
  }
  return copy;
}

function keysOf({ paths, components }: Document, place: string): string[] {
  const [first = '', ...rest] = place.split(' ');
  for (const kind of ['schemas', 'parameters']) {
    if (first in components[kind]!) return ['components', kind, first, ...rest];
  }
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(item))
      if (operationId === first) return ['paths', path, method, ...rest];
  }
  return [first, ...rest];
}
