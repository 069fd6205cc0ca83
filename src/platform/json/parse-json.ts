import { isUtf8 } from 'node:buffer';
import { keepExact } from './exact-integers.js';
import { type JsonLimits, NO_LIMITS } from './json-limits.js';
import { readNumber } from './json-number.js';
import { shownName } from './shown-name.js';

/** The text is not acceptable JSON. The message never contains any input, so clients may see it. */
export class MalformedJson extends Error {}

/** A parsed JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
interface JsonObject {
  [name: string]: JsonValue;
}

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [QUOTE, BACKSLASH, COLON, COMMA, T, F, N] = [0x22, 0x5c, 0x3a, 0x2c, 0x74, 0x66, 0x6e];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Parses a JSON text (RFC 8259) strictly, as I-JSON (RFC 7493) requires: UTF-8, no byte order mark, no duplicate names in an
 * object. Numbers are as `JSON.parse` makes them. The exact value of an integer that a number does not hold is kept beside it, for
 * `exactOf`. Pass `BODY_LIMITS` for JSON that clients send; by default there are no limits. A member `__proto__` that is not
 * rejected is a member like any other, and never sets a prototype. @throws MalformedJson
 */
export function parseJson(bytes: Buffer, limits: JsonLimits = NO_LIMITS): JsonValue {
  if (!isUtf8(bytes)) throw new MalformedJson('it is not valid UTF-8');
  return new JsonReader(bytes.toString('utf8'), limits).read();
}

/**
 * Reads each character once. It does not use patterns that repeat an alternative, because their stack grows with the length of
 * the text.
 */
class JsonReader {
  #at = 0;
  #values = 0;
  /** The number of integers that a number does not hold, and the exact value of the last one. */
  #exactIntegers = 0;
  #exact: bigint | undefined;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
  ) {}

  read(): JsonValue {
    const value = this.#value(0);
    if (!Number.isNaN(this.#next())) throw this.#unexpected();
    return value;
  }

  #value(depth: number): JsonValue {
    if (++this.#values > this.limits.values)
      throw new MalformedJson(`it has more than ${this.limits.values} values`);
    switch (this.#next()) {
      case OPEN_BRACE:
        return this.#object(depth + 1);
      case OPEN_BRACKET:
        return this.#array(depth + 1);
      case QUOTE:
        return this.#string();
      case T:
        return this.#word('true', true);
      case F:
        return this.#word('false', false);
      case N:
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): JsonObject {
    const object: JsonObject = {};
    const { members: maxMembers, refusedNames } = this.limits;
    this.#enter(OPEN_BRACE, depth);
    if (this.#take(CLOSE_BRACE)) return object;
    let members = 0;
    do {
      const name = this.#string();
      if (Object.hasOwn(object, name))
        throw new MalformedJson(`it has the name ${JSON.stringify(shownName(name))} twice in one object`);
      if (refusedNames.includes(name)) throw new MalformedJson(`it has a member named ${name}`);
      if (++members > maxMembers)
        throw new MalformedJson(`it has an object with more than ${maxMembers} members`);
      if (!this.#take(COLON)) throw this.#unexpected();
      const before = this.#exactIntegers;
      const value = this.#value(depth);
      if (name === '__proto__') defineMember(object, name, value);
      else object[name] = value;
      if (this.#exactIntegers > before) this.#keep(object, name, value);
    } while (this.#take(COMMA));
    if (!this.#take(CLOSE_BRACE)) throw this.#unexpected();
    return object;
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#enter(OPEN_BRACKET, depth);
    if (this.#take(CLOSE_BRACKET)) return items;
    do {
      const before = this.#exactIntegers;
      const item = this.#value(depth);
      if (this.#exactIntegers > before) this.#keep(items, String(items.length), item);
      items.push(item);
    } while (this.#take(COMMA));
    if (!this.#take(CLOSE_BRACKET)) throw this.#unexpected();
    return items;
  }

  #enter(mark: number, depth: number): void {
    const { depth: maxDepth } = this.limits;
    if (depth > maxDepth) throw new MalformedJson(`it is nested deeper than ${maxDepth} levels`);
    this.#take(mark);
  }

  /** Keeps the exact value of a member that was just read, or that the member contains such integers. */
  #keep(holder: object, name: string, member: JsonValue): void {
    keepExact(holder, name, typeof member === 'number' ? this.#exact : undefined);
  }

  /** The next character after any whitespace; NaN at the end. */
  #next(): number {
    let code = this.text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
      code = this.text.charCodeAt((this.#at += 1));
    return code;
  }

  /** Consumes a character if it is the next one. */
  #take(mark: number): boolean {
    if (this.#next() !== mark) return false;
    this.#at += 1;
    return true;
  }

  /** Reads a string. Control characters in it must be escaped (RFC 8259 section 7). */
  #string(): string {
    const { text } = this;
    if (this.#next() !== QUOTE) throw this.#unexpected();
    let end = this.#at + 1;
    let isEscaped = false;
    for (let code = text.charCodeAt(end); code !== QUOTE; code = text.charCodeAt(++end)) {
      if (code === BACKSLASH) {
        isEscaped = true;
        end += 1;
      } else if (!(code >= 0x20)) throw this.#unexpected();
    }
    const value = isEscaped ? this.#unescape(text.slice(this.#at, end + 1)) : text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return value;
  }

  #unescape(literal: string): string {
    try {
      return JSON.parse(literal) as string;
    } catch {
      throw this.#unexpected();
    }
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const [literal] = NUMBER.exec(this.text) ?? [];
    if (literal === undefined) throw this.#unexpected();
    this.#at += literal.length;
    const value = readNumber(literal);
    if (typeof value === 'number') return value;
    this.#exactIntegers += 1;
    this.#exact = value;
    return Number(value);
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.#at)) throw this.#unexpected();
    this.#at += word.length;
    return value;
  }

  #unexpected(): MalformedJson {
    const where = this.#at < this.text.length ? `at character ${this.#at + 1}` : 'at its end';
    return new MalformedJson(`something is wrong ${where}`);
  }
}

/** Defines a member without calling the setter of `__proto__`, which an assignment would call. */
const defineMember = (object: JsonObject, name: string, value: JsonValue) =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
