import { readNumber } from './json-number.js';

/** The text is not acceptable JSON. The message is our own and can be shown to the client. */
export class MalformedJson extends Error {}

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];
const [POINT, LOWER_E, UPPER_E] = [0x2e, 0x65, 0x45];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** So many digits always fit a double. */
const SAFE_DIGITS = 15;

/**
 * The tokens of a JSON text (RFC 8259), one after the other. Each character is looked at once, and by no pattern that repeats
 * a choice: such a pattern needs a stack as deep as a text is long.
 */
export class JsonScanner {
  #at = 0;

  constructor(private readonly text: string) {}

  /** The character that comes next, behind any space; NaN at the end. */
  next(): number {
    let code = this.text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
      code = this.text.charCodeAt((this.#at += 1));
    return code;
  }

  /** Takes a character if it comes next. */
  take(mark: number): boolean {
    if (this.next() !== mark) return false;
    this.#at += 1;
    return true;
  }

  /** Control characters must be escaped (section 7). */
  string(): string {
    const { text } = this;
    if (this.next() !== QUOTE) throw this.unexpected();
    let end = this.#at + 1;
    let isEscaped = false;
    for (let code = text.charCodeAt(end); code !== QUOTE; code = text.charCodeAt(++end)) {
      if (code === BACKSLASH) {
        isEscaped = true;
        end += 1;
      } else if (!(code >= 0x20)) throw this.unexpected();
    }
    const value = isEscaped ? this.#unescape(text.slice(this.#at, end + 1)) : text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return value;
  }

  number(): number | bigint {
    const { text } = this;
    const first = text.charCodeAt(this.#at) === MINUS ? this.#at + 1 : this.#at;
    let end = first;
    let value = 0;
    let code = text.charCodeAt(end);
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(++end)) value = value * 10 + code - ZERO;
    const isUsual = end > first && end - first <= SAFE_DIGITS && text.charCodeAt(first) !== ZERO;
    if (!isUsual || code === POINT || code === LOWER_E || code === UPPER_E) return this.#unusualNumber();
    value = first === this.#at ? value : -value;
    this.#at = end;
    return value;
  }

  word<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.#at)) throw this.unexpected();
    this.#at += word.length;
    return value;
  }

  unexpected(): MalformedJson {
    const where = this.#at < this.text.length ? `at character ${this.#at + 1}` : 'at its end';
    return new MalformedJson(`something is wrong ${where}`);
  }

  #unescape(literal: string): string {
    try {
      return JSON.parse(literal) as string;
    } catch {
      throw this.unexpected();
    }
  }

  #unusualNumber(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const [literal] = NUMBER.exec(this.text) ?? [];
    if (literal === undefined) throw this.unexpected();
    this.#at += literal.length;
    return readNumber(literal);
  }
}
