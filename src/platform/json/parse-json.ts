import { isUtf8 } from 'node:buffer';
import { readNumber } from './json-number.js';

/** A parsed JSON value. Integers that a double cannot hold exactly are bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

/** The text is not acceptable JSON. The message is our own and can be shown to the client. */
export class MalformedJson extends Error {}

const MAX_DEPTH = 32;
const SPACE = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex -- RFC 8259 section 7: these must be escaped
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

/**
 * Reads a JSON text (RFC 8259) strictly, as I-JSON (RFC 7493) asks: UTF-8, no byte order mark, no name twice in an object;
 * also nothing nested deeper than 32 and no member `__proto__`. Integers are never rounded. @throws MalformedJson
 */
export function parseJson(bytes: Buffer): JsonValue {
  if (!isUtf8(bytes)) throw new MalformedJson('it is not valid UTF-8');
  return new Reader(bytes.toString('utf8')).read();
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  read(): JsonValue {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.text.length) throw this.#unexpected();
    return value;
  }

  #value(depth: number): JsonValue {
    this.#skipSpace();
    switch (this.text[this.#at]) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      case 't':
      case 'f':
      case 'n':
        return JSON.parse(this.#token(LITERAL)) as boolean | null;
      default:
        return readNumber(this.#token(NUMBER));
    }
  }

  #object(depth: number): JsonObject {
    const object: JsonObject = {};
    this.#enter(depth);
    if (this.#take('}')) return object;
    do {
      this.#skipSpace();
      const name = this.#string();
      if (Object.hasOwn(object, name))
        throw new MalformedJson(`it has the name ${JSON.stringify(name)} twice in one object`);
      if (name === '__proto__') throw new MalformedJson('it has a member named __proto__');
      if (!this.#take(':')) throw this.#unexpected();
      object[name] = this.#value(depth);
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#unexpected();
    return object;
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#enter(depth);
    if (this.#take(']')) return items;
    do items.push(this.#value(depth));
    while (this.#take(','));
    if (!this.#take(']')) throw this.#unexpected();
    return items;
  }

  #enter(depth: number): void {
    if (depth > MAX_DEPTH) throw new MalformedJson(`it is nested deeper than ${MAX_DEPTH} levels`);
    this.#at += 1;
  }

  #string(): string {
    const token = this.#token(STRING);
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [token] = pattern.exec(this.text) ?? [];
    if (token === undefined) throw this.#unexpected();
    this.#at += token.length;
    return token;
  }

  #take(mark: string): boolean {
    this.#skipSpace();
    if (this.text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.text);
    this.#at = SPACE.lastIndex;
  }

  #unexpected(): MalformedJson {
    const where = this.#at < this.text.length ? `at character ${this.#at + 1}` : 'at its end';
    return new MalformedJson(`something is wrong ${where}`);
  }
}
