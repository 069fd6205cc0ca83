import { entityTag } from './entity-tag.js';
import { writeJson } from '../../json/write-json.js';

/** An answer that is written already, for everybody who waits for it or for who asks again. */
export class JsonText {
  #tag: string | undefined;

  private constructor(
    readonly text: string,
    private readonly isList: boolean,
  ) {}

  static of(body: unknown): JsonText {
    return new JsonText(writeJson(body), Array.isArray(body));
  }

  /** JSON that was written before. */
  static written(text: string): JsonText {
    return new JsonText(text, false);
  }

  /** Weak for a list: the same text does not have to mean the same bytes for ever. */
  get entityTag(): string {
    return (this.#tag ??= entityTag(this.text, this.isList));
  }
}
