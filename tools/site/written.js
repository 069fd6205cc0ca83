import { Marked } from 'marked';
import { addressOf, linksIn } from './links.js';
import { renderMarkdown } from './markdown.js';
import { Html } from './markup.js';

/** The URL of the service in the texts of the repository. */
const ON_A_DESK = 'http://127.0.0.1:3000';
/** A placeholder for the URL of the service. On a page, a script replaces it with the URL of the page. */
export const SERVICE = 'https://petstore.example';
const withAddress = (html) => html.replaceAll(SERVICE, `<span data-address>${SERVICE}</span>`);

/** Removes parts that are only for readers and authors of the files in the repository. */
const forReaders = (markdown) =>
  markdown
    .replaceAll(ON_A_DESK, SERVICE)
    .replaceAll(/(?:\n\n)?<!-- (areas|repository)\b.*?<!-- \/\1 -->/gs, '')
    .replaceAll(/^<!--.*-->\n\n?/gm, '')
    .replaceAll(/^### For module authors\n.*?(?=^## )/gms, '')
    .replaceAll(/^- For module authors:.*\n(?: {2}.*\n)*/gm, '');

/** The page of a Markdown file, which `source` describes. `context` contains everything else that the page needs. */
export function writtenPage(source, context) {
  const text = forReaders(source.text);
  return {
    ...source,
    parts: [renderText(text, source, context)],
    markdown: markdownOf(text, source, context),
  };
}

/** A text of a file as HTML. */
export function renderText(text, source, context) {
  const { text: rendered } = renderMarkdown(text, {
    addressOf: (target) => addressOf(target, source, context.addresses),
    isPage: (address) => context.addresses.has(address),
    below: (heading) => below(heading, source, context)?.html ?? '',
  });
  return new Html(withAddress(rendered));
}

/** The text as Markdown, for programs. Its links lead to Markdown. */
export function markdownOf(text, source, context) {
  const mend = (raw, link) =>
    raw.replace(link.raw, () => mended(link, addressOf(link.href, source, context.addresses)));
  const blocks = new Marked().lexer(text).map((token) => {
    const raw = linksIn([token]).reduce(mend, token.raw);
    const more = token.type === 'heading' && below(token.text, source, context)?.markdown;
    return more ? raw.trimEnd() + more + raw.slice(raw.trimEnd().length) : raw;
  });
  return blocks.join('');
}

function mended({ raw, text, href }, to) {
  if (!to) return text;
  return to.markdown === href ? raw : `[${text}](${to.markdown})`;
}

/** Text below the heading of a version that its file does not contain: the changes of the version in the document. */
const below = (heading, { name }, { changes }) =>
  name === 'changelog' ? changes.get(/^\[(.+?)\]/.exec(heading)?.[1].toLowerCase()) : undefined;
