import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import { Marked, Renderer } from 'marked';
import { Html, html } from './markup.js';

for (const [name, language] of Object.entries({ bash, http, javascript, json, python }))
  hljs.registerLanguage(name, language);
hljs.registerAliases('client', { languageName: 'javascript' });

/** Languages that readers read but do not paste, so their long lines are wrapped. */
const ANSWERS = ['http', 'json'];

/** A code block that can be scrolled with the keyboard. */
export function codeBlock(code, language) {
  const known = language !== undefined && hljs.getLanguage(language);
  const lines = code.trimEnd();
  const colored = known ? new Html(hljs.highlight(lines, { language }).value) : html`${lines}`;
  const kind = ANSWERS.includes(language) ? 'wraps' : 'pasted';
  return html`<pre tabindex="0" class="${kind}"><code>${colored}</code></pre>`;
}

export const jsonText = (value) => JSON.stringify(value, null, 2);
export const jsonBlock = (value) => codeBlock(jsonText(value), 'json');
/** The same in Markdown. */
export const fenced = (code, language = '') => `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

/**
 * Renders Markdown as HTML. Headings get the same anchors as on GitHub. `rendering` adds what the Markdown does not contain:
 * - `addressOf(target)`: the target of a link, as `{ path }`; undefined if the service does not serve it;
 * - `isPage(address)`: whether inline code is the path of a page, and becomes a link;
 * - `below(heading)`: HTML to insert below a heading.
 */
export const renderMarkdown = (markdown, rendering) =>
  new Html(new Marked().parse(markdown, { async: false, renderer: new PageRenderer(rendering) }));

/** Finds a table in a Markdown text by the heading of its first column. */
export function tableOf(markdown, head) {
  const tables = new Marked().lexer(markdown).filter(({ type }) => type === 'table');
  return tables.find(({ header }) => header[0]?.text === head)?.raw ?? '';
}

class PageRenderer extends Renderer {
  #anchors = new Map();
  #rendering;

  constructor(rendering) {
    super();
    this.#rendering = rendering;
  }

  heading({ tokens, depth, text }) {
    const anchor = this.#anchorOf(this.parser.parseInline(tokens, this.parser.textRenderer));
    const content = new Html(this.parser.parseInline(tokens));
    const level = new Html(`h${depth}`);
    const below = this.#rendering.below(text);
    return html`<${level} id="${anchor}"><a class="anchor" href="#${anchor}">${content}</a></${level}>${below}`
      .text;
  }

  code({ text, lang }) {
    return codeBlock(text, lang).text;
  }

  codespan({ text }) {
    // In a narrow column a long name may break after an underscore.
    const code = new Html(html`<code>${text}</code>`.text.replaceAll('_', '_<wbr />'));
    return (this.#rendering.isPage(text) ? html`<a href="${text}">${code}</a>` : code).text;
  }

  table({ header, rows }) {
    const rowOf = (cells) => this.tablerow({ text: cells.map((cell) => this.tablecell(cell)).join('') });
    const body = rows.map(rowOf).join('');
    const table = `<table>\n<thead>\n${rowOf(header)}</thead>\n<tbody>${body}</tbody></table>\n`;
    return `<div class="scroll" tabindex="0">${table}</div>`;
  }

  link({ href, tokens, ...link }) {
    const address = this.#rendering.addressOf(href);
    return address ? super.link({ href: address.path, tokens, ...link }) : this.parser.parseInline(tokens);
  }

  html(token) {
    return token.text.startsWith('<!--') ? '' : super.html(token);
  }

  #anchorOf(text) {
    const anchor = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const earlier = this.#anchors.get(anchor) ?? 0;
    this.#anchors.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  }
}
