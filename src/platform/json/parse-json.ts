import { isUtf8 } from 'node:buffer';
import { JsonScanner, MalformedJson } from './json-scanner.js';
import { shownName } from './shown-name.js';

export { MalformedJson };

/** A parsed JSON value. Integers that a double cannot hold exactly are bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

// RFC 8259 section 9: limits of ours. They bound what any later look at the data costs.
const MAX_DEPTH = 32;
const MAX_MEMBERS = 1_000;
const MAX_CONTAINERS = 250_000;

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [QUOTE, COLON, COMMA, T, F, N] = [0x22, 0x3a, 0x2c, 0x74, 0x66, 0x6e];

/**
 * Reads a JSON text (RFC 8259) strictly, as I-JSON (RFC 7493) asks: UTF-8, no byte order mark, no name twice in an object;
 * also no member `__proto__`, and nothing beyond the limits above. Integers are never rounded. @throws MalformedJson
 */
export function parseJson(bytes: Buffer): JsonValue {
  if (!isUtf8(bytes)) throw new MalformedJson('it is not valid UTF-8');
  return new Reader(new JsonScanner(bytes.toString('utf8'))).read();
}

class Reader {
  #containers = 0;

  constructor(private readonly scanner: JsonScanner) {}

  read(): JsonValue {
    const value = this.#value(0);
    if (!Number.isNaN(this.scanner.next())) throw this.scanner.unexpected();
    return value;
  }

  #value(depth: number): JsonValue {
    const { scanner } = this;
    switch (scanner.next()) {
      case OPEN_BRACE:
        return this.#object(depth + 1);
      case OPEN_BRACKET:
        return this.#array(depth + 1);
      case QUOTE:
        return scanner.string();
      case T:
        return scanner.word('true', true);
      case F:
        return scanner.word('false', false);
      case N:
        return scanner.word('null', null);
      default:
        return scanner.number();
    }
  }

  #object(depth: number): JsonObject {
    const { scanner } = this;
    const object: JsonObject = {};
    this.#enter(OPEN_BRACE, depth);
    if (scanner.take(CLOSE_BRACE)) return object;
    let members = 0;
    do {
      const name = scanner.string();
      if (Object.hasOwn(object, name))
        throw new MalformedJson(`it has the name ${JSON.stringify(shownName(name))} twice in one object`);
      if (name === '__proto__') throw new MalformedJson('it has a member named __proto__');
      if (++members > MAX_MEMBERS)
        throw new MalformedJson(`it has an object with more than ${MAX_MEMBERS} members`);
      if (!scanner.take(COLON)) throw scanner.unexpected();
      object[name] = this.#value(depth);
    } while (scanner.take(COMMA));
    if (!scanner.take(CLOSE_BRACE)) throw scanner.unexpected();
    return object;
  }

  #array(depth: number): JsonValue[] {
    const { scanner } = this;
    const items: JsonValue[] = [];
    this.#enter(OPEN_BRACKET, depth);
    if (scanner.take(CLOSE_BRACKET)) return items;
    do items.push(this.#value(depth));
    while (scanner.take(COMMA));
    if (!scanner.take(CLOSE_BRACKET)) throw scanner.unexpected();
    return items;
  }

  #enter(mark: number, depth: number): void {
    if (depth > MAX_DEPTH) throw new MalformedJson(`it is nested deeper than ${MAX_DEPTH} levels`);
    if (++this.#containers > MAX_CONTAINERS)
      throw new MalformedJson(`it has more than ${MAX_CONTAINERS} objects and arrays`);
    this.scanner.take(mark);
  }
}
