import { Marked } from 'marked';
import { addressOf, linksIn } from './links.js';
import { renderMarkdown } from './markdown.js';
import { Html } from './markup.js';

/** Where the texts of the repository find a service. */
const ON_A_DESK = 'http://127.0.0.1:3000';
/** Stands for the service in what readers get; on a page a script puts that of the page in its place. */
export const SERVICE = 'https://petstore.example';
const withAddress = (html) => html.replaceAll(SERVICE, `<span data-address>${SERVICE}</span>`);

/** Removes what is only for those who read, or write, the files of the repository. */
const forReaders = (markdown) =>
  markdown
    .replaceAll(ON_A_DESK, SERVICE)
    .replaceAll(/(?:\n\n)?<!-- (areas|repository)\b.*?<!-- \/\1 -->/gs, '')
    .replaceAll(/^<!--.*-->\n\n?/gm, '')
    .replaceAll(/^### For module authors\n.*?(?=^## )/gms, '')
    .replaceAll(/^- For module authors:.*\n(?: {2}.*\n)*/gm, '');

/** The page of a Markdown file, which `source` describes; `context` is all else that there is. */
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

/** The same as Markdown, for programs: its links lead to Markdown. */
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

/** What the heading of a version has below it that its file does not know: what the version changed in the document. */
const below = (heading, { name }, { changes }) =>
  name === 'changelog' ? changes.get(/^\[(.+?)\]/.exec(heading)?.[1].toLowerCase()) : undefined;
