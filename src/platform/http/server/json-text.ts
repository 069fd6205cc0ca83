import { entityTag } from './entity-tag.js';
import { writeJson } from '../../json/write-json.js';

/** An answer that is written once and sent to everybody who waits for it. */
export class JsonText {
  readonly text: string;
  #tag: string | undefined;

  constructor(private readonly body: unknown) {
    this.text = writeJson(body);
  }

  /** Weak for a list: the same text does not have to mean the same bytes for ever. */
  get entityTag(): string {
    return (this.#tag ??= entityTag(this.text, Array.isArray(this.body)));
  }
}
