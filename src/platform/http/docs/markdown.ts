import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import { Marked, Renderer, type Tokens } from 'marked';
import { Html, html, NOTHING } from './markup.js';

for (const [name, language] of Object.entries({ bash, http, javascript, json, python }))
  hljs.registerLanguage(name, language);

/** Languages that are read and not pasted, so their long lines are wrapped. */
const ANSWERS = ['http', 'json'];

/** A code block that can be scrolled with the keyboard. */
export function codeBlock(code: string, language?: string): Html {
  const known = language !== undefined && hljs.getLanguage(language);
  const lines = code.trimEnd();
  const marked = known ? new Html(hljs.highlight(lines, { language }).value) : html`${lines}`;
  const kind = language !== undefined && ANSWERS.includes(language) ? 'wraps' : 'pasted';
  return html`<pre tabindex="0" class="${kind}"><code>${marked}</code></pre>`;
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);
export const jsonBlock = (value: unknown): Html => codeBlock(jsonText(value), 'json');

/** How a Markdown file is rendered. */
export interface Rendering {
  /** The address of the page of another file, given its path relative to this one; undefined if it is not served. */
  readonly addressOf: (file: string) => string | undefined;
  /** Paths of pages: inline code with such a path becomes a link. */
  readonly pages: readonly string[];
  /** Whether to keep a row of a table. `heads` are the headings of its columns. */
  readonly keepsRow?: (heads: readonly string[], cells: readonly string[]) => boolean;
  /** HTML to insert below a heading. */
  readonly below?: (heading: string) => Html;
}

/** Renders Markdown as HTML. Headings get the same anchors as on GitHub. */
export const renderMarkdown = (markdown: string, rendering: Rendering): Html =>
  new Html(new Marked().parse(markdown, { async: false, renderer: new PageRenderer(rendering) }));

/** Finds a table in a Markdown text by the heading of its first column. */
export function tableOf(markdown: string, head: string): string {
  const tables = new Marked()
    .lexer(markdown)
    .filter((token): token is Tokens.Table => token.type === 'table');
  return tables.find(({ header }) => header[0]?.text === head)?.raw ?? '';
}

class PageRenderer extends Renderer {
  readonly #anchors = new Map<string, number>();

  constructor(private readonly rendering: Rendering) {
    super();
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    const anchor = this.#anchorOf(this.parser.parseInline(tokens, this.parser.textRenderer));
    const content = new Html(this.parser.parseInline(tokens));
    const level = new Html(`h${depth}`);
    const below = this.rendering.below?.(text) ?? NOTHING;
    return html`<${level} id="${anchor}"><a class="anchor" href="#${anchor}">${content}</a></${level}>${below}`
      .text;
  }

  override code({ text, lang }: Tokens.Code): string {
    return codeBlock(text, lang).text;
  }

  override codespan({ text }: Tokens.Codespan): string {
    const code = html`<code>${text}</code>`;
    return (this.rendering.pages.includes(text) ? html`<a href="${text}">${code}</a>` : code).text;
  }

  override table({ rows, ...table }: Tokens.Table): string {
    const heads = table.header.map(({ text }) => text);
    const { keepsRow = () => true } = this.rendering;
    const kept = rows.filter((cells) =>
      keepsRow(
        heads,
        cells.map(({ text }) => text),
      ),
    );
    return `<div class="scroll" tabindex="0">${super.table({ ...table, rows: kept })}</div>`;
  }

  override link({ href, tokens, ...link }: Tokens.Link): string {
    if (/^(?:https?:|#|\/)/.test(href)) return super.link({ href, tokens, ...link });
    const [file, anchor] = href.split('#');
    const address = this.rendering.addressOf(file!);
    if (address === undefined) return this.parser.parseInline(tokens);
    return super.link({ href: anchor ? `${address}#${anchor}` : address, tokens, ...link });
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return text.startsWith('<!--') ? '' : super.html({ text } as Tokens.HTML);
  }

  #anchorOf(text: string): string {
    const anchor = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const earlier = this.#anchors.get(anchor) ?? 0;
    this.#anchors.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  }
}
