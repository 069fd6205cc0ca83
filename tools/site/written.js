import { Marked } from 'marked';
import { noticeInMarkdown, noticeOf } from './deprecations.js';
import { addressOf, linksIn } from './links.js';
import { renderMarkdown } from './markdown.js';
import { except, gone, Html, only } from './markup.js';

/** The address in commands; in its place stands that of the service, which its configuration tells. */
const ON_A_DESK = 'http://127.0.0.1:3000/v1';
const withAddress = (text) => text.replaceAll(`PETSTORE=${ON_A_DESK}`, 'PETSTORE={{address}}');

/** Removes what is only for those who read, or write, the files of the repository. */
const forReaders = (markdown) =>
  markdown
    .replaceAll(/(?:\n\n)?<!-- (areas|repository)\b.*?<!-- \/\1 -->/gs, '')
    .replaceAll(/^<!--.*-->\n\n?/gm, '')
    .replaceAll(/^- For module authors:.*\n(?: {2}.*\n)*/gm, '');

/** The page of a Markdown file, which `source` describes; `context` is all else that there is. */
export function writtenPage(source, context) {
  const text = forReaders(source.text);
  return {
    ...source,
    parts: [{ html: renderText(text, source, context) }],
    markdown: markdownOf(text, source, context),
  };
}

/** A text of a file as HTML. */
export function renderText(text, source, context) {
  const { text: rendered } = renderMarkdown(text, {
    addressOf: (target) => addressOf(target, source.file, context.addresses),
    only: (address) => context.addresses.get(address)?.only,
    onlyRow: onlyRow(context),
    below: (heading) => below(heading, source, context)?.html ?? '',
  });
  return new Html(withAddress(rendered));
}

/** The same as Markdown, for programs: its links lead to Markdown. */
export function markdownOf(text, source, context) {
  const mend = (raw, link) =>
    raw.replace(link.raw, () => mended(link, addressOf(link.href, source.file, context.addresses)));
  const blocks = new Marked().lexer(text).map((token) => {
    const raw = linksIn([token]).reduce(mend, token.raw);
    if (token.type === 'table') return withMarks(raw, token, onlyRow(context));
    const more = token.type === 'heading' && below(token.text, source, context)?.markdown;
    return more ? raw.trimEnd() + more + raw.slice(raw.trimEnd().length) : raw;
  });
  return withAddress(blocks.join(''));
}

function mended({ raw, text, href }, to) {
  if (!to) return text;
  if (to.markdown === href) return raw;
  const link = `[${text}](${to.markdown})`;
  return to.only.length === 0 ? link : only(to.only, link) + except(to.only, text);
}

function withMarks(raw, { header, rows }, onlyRow) {
  const texts = (cells) => cells.map(({ text }) => text);
  const [head, rule, ...lines] = raw.trimEnd().split('\n');
  const marked = lines.map((line, i) => only(onlyRow(texts(header), texts(rows[i])), `\n${line}`));
  return `${head}\n${rule}${marked.join('')}${raw.slice(raw.trimEnd().length)}`;
}

/** The operations without which a row is not shown: those that a table of scopes names, or that answer with an error code. */
const onlyRow =
  ({ operations, errors }) =>
  (heads, cells) => {
    const names = cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    if (heads[1] === 'Scope')
      return names[0].filter((name) => operations.some((one) => one.operationId === name));
    return heads[1] === '`code`' ? (errors.find(({ code }) => names[1].includes(code))?.only ?? []) : [];
  };

/**
 * What a heading has below it that its file does not know, as HTML and as Markdown: the section of a deprecated operation, that it
 * has been removed; that of a version, what it changed in the document.
 */
function below(heading, { name }, { deprecated, changes }) {
  if (name === 'changelog') return changes.get(/^\[(.+?)\]/.exec(heading)?.[1].toLowerCase());
  const operation = deprecated.find(({ operationId }) => heading.startsWith(`${operationId}:`));
  if (!operation) return undefined;
  const ids = [operation.operationId];
  return {
    html: gone(ids, noticeOf(operation)),
    markdown: gone(ids, `\n\n${noticeInMarkdown(operation)}`),
  };
}
