/** A text that is HTML. All other texts are escaped when they are inserted. */
export class Html {
  constructor(text) {
    this.text = text;
  }
}

/** Builds HTML from a template. Inserted values are escaped, unless they are `Html`; lists are joined. */
export function html(parts, ...values) {
  const inserted = values.map((value, i) => `${escaped(value)}${parts[i + 1]}`);
  return new Html(parts[0] + inserted.join(''));
}

function escaped(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(escaped).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const CHARACTERS = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([character, entity]) => [entity, character])),
  '&#x27;': "'",
};

export const NOTHING = html``;

/** Renders a sentence, in which backticks mark code, and two asterisks mark strong text. */
export const prose = (sentence) =>
  sentence.split(/(`[^`]*`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`;
  });

/** The visible text of HTML. */
export const visibleText = ({ text }) =>
  text
    .replaceAll(/<\/?(?:a|code|em|span|strong|time|wbr)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#?\w+;/g, (entity) => CHARACTERS[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
