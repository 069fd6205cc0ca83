/** A text that is HTML; all other texts are escaped when they are inserted. */
export class Html {
  constructor(readonly text: string) {}
}

type Insert = string | number | Html | readonly Html[];

/** Builds HTML from a template. Inserted values are escaped, unless they are `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Insert[]): Html {
  const inserted = values.map((value, i) => `${textOf(value)}${parts[i + 1]}`);
  return new Html(parts[0] + inserted.join(''));
}

export const NOTHING = html``;

/** Renders a sentence in which backticks mark code. */
export function prose(sentence: string): Html[] {
  return sentence.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** The visible text of HTML. */
export const visibleText = ({ text }: Html): string =>
  text
    .replaceAll(/<\/?(?:a|code|em|span|strong|time)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:\w+|#39);/g, (entity) => MARKS[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();

function textOf(value: Insert): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return String(value).replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const MARKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([mark, entity]) => [entity, mark])),
  '&#x27;': "'",
};
