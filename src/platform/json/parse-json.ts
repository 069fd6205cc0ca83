import { isUtf8 } from 'node:buffer';
import { BODY_LIMITS, type JsonLimits } from './json-limits.js';
import { readNumber } from './json-number.js';
import { shownName } from './shown-name.js';

/** The text is not acceptable JSON. The message never contains input and may be shown to clients. */
export class MalformedJson extends Error {}

/** A parsed JSON value. Integers that a double cannot hold exactly are bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

/** What was stored before is not refused for the number of its values. */
const WITHOUT_LIMIT_OF_VALUES: JsonLimits = { ...BODY_LIMITS, values: Infinity };

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [QUOTE, BACKSLASH, COLON, COMMA, T, F, N] = [0x22, 0x5c, 0x3a, 0x2c, 0x74, 0x66, 0x6e];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Parses a JSON text (RFC 8259) strictly, as I-JSON (RFC 7493) requires: UTF-8, no byte order mark, no duplicate names in an
 * object; also no member `__proto__`, and nothing beyond the limits above. Integers are never rounded. @throws MalformedJson
 */
export function parseJson(bytes: Buffer, limits = WITHOUT_LIMIT_OF_VALUES): JsonValue {
  if (!isUtf8(bytes)) throw new MalformedJson('it is not valid UTF-8');
  return new JsonReader(bytes.toString('utf8'), limits).read();
}

/** Reads each character once, without patterns that repeat an alternative: their stack grows with the length of the text. */
class JsonReader {
  #at = 0;
  #values = 0;

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
    this.#enter(OPEN_BRACE, depth);
    if (this.#take(CLOSE_BRACE)) return object;
    let members = 0;
    do {
      const name = this.#string();
      if (Object.hasOwn(object, name))
        throw new MalformedJson(`it has the name ${JSON.stringify(shownName(name))} twice in one object`);
      if (name === '__proto__') throw new MalformedJson('it has a member named __proto__');
      if (++members > this.limits.members)
        throw new MalformedJson(`it has an object with more than ${this.limits.members} members`);
      if (!this.#take(COLON)) throw this.#unexpected();
      object[name] = this.#value(depth);
    } while (this.#take(COMMA));
    if (!this.#take(CLOSE_BRACE)) throw this.#unexpected();
    return object;
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#enter(OPEN_BRACKET, depth);
    if (this.#take(CLOSE_BRACKET)) return items;
    do items.push(this.#value(depth));
    while (this.#take(COMMA));
    if (!this.#take(CLOSE_BRACKET)) throw this.#unexpected();
    return items;
  }

  #enter(mark: number, depth: number): void {
    if (depth > this.limits.depth)
      throw new MalformedJson(`it is nested deeper than ${this.limits.depth} levels`);
    this.#take(mark);
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

  /** Control characters must be escaped (section 7). */
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

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const [literal] = NUMBER.exec(this.text) ?? [];
    if (literal === undefined) throw this.#unexpected();
    this.#at += literal.length;
    return readNumber(literal);
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
