/** A text that is HTML; all other texts are escaped when they are inserted. */
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

/** Renders a sentence in which backticks mark code, and two asterisks what is strong. */
export const prose = (sentence) =>
  sentence.split(/(`[^`]*`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`;
  });

/** The visible text of HTML; marks stay. */
export const visibleText = ({ text }) =>
  text
    .replaceAll(/<\/?(?:a|code|em|span|strong|time)\b[^>]*>/g, '')
    .replaceAll(/<(?!!--)[^>]*>/g, ' ')
    .replaceAll(/&#?\w+;/g, (entity) => CHARACTERS[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();

/**
 * Marks a part of a page for the service (src/platform/http/openapi/site.ts), which shows it only where the mark applies; without
 * operations it is always shown. The content is Html, or text.
 */
const marked = (kind) => (operations, content) => {
  if (operations.length === 0) return content;
  const around = (text) => `<!-- ${kind} ${operations.join(' ')} -->${text}<!-- /${kind} -->`;
  return content instanceof Html ? new Html(around(content.text)) : around(content);
};

/** Shown if one of the operations is served in the configuration of the service, even if it has been removed. */
export const only = marked('only');
/** Shown if none of them is served. */
export const except = marked('except');
/** Shown once one of them has been removed and answers 410. */
export const gone = marked('gone');
/** Shown as long as none of them has been removed. */
export const current = marked('current');

/** The operations whose removal changes a text. */
export const changedBy = (text) => [
  ...new Set([...text.matchAll(/<!-- (?:gone|current) (.*?) -->/g)].flatMap(([, ids]) => ids.split(' '))),
];
