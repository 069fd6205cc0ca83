import { Html, html, NOTHING, visibleText } from './markup.js';

/**
 * @typedef {object} Page a page without its frame; addresses in it begin with `/docs`
 * @property {string} path its address
 * @property {string} name the name of its files
 * @property {string} title
 * @property {string} about what is on it: a clause
 * @property {Html[]} parts whole sections
 * @property {string} markdown the same as Markdown
 * @property {boolean} [isWide] whether it uses the full width; otherwise it is as wide as text is easy to read
 */

/** A path of this site as a link from another page, relative, so that both work behind any path prefix. */
export const relativeTo = (from, address) => '../'.repeat(from.split('/').length - 2) + address.slice(1);

/** HTML that is served at `from`, in which all links to this site are relative. */
export const withRelativeLinks = (from, text) =>
  text.replaceAll(
    /\b(href|src)="(\/[^"]*)"/g,
    (_, name, address) => `${name}="${relativeTo(from, address)}"`,
  );

const HEADING = /<h([123]) id="([^"]*)">(.*?)<\/h\1>/gs;

/** Splits a page into sections at its headings. The headings have the form that `renderMarkdown` gives them. */
const sectionsOf = ({ path, name, title: page, about, parts }) =>
  parts.flatMap(({ text }) => {
    const headings = [...text.matchAll(HEADING)];
    return headings.map(([whole, level, anchor, heading], i) => ({
      level: Number(level),
      url: level === '1' ? path : `${path}#${anchor}`,
      page,
      title: visibleText(new Html(heading)),
      // In the reference, an anchor is the name of an operation.
      about: level === '1' ? about : name === 'reference' ? anchor : undefined,
      text: visibleText(new Html(text.slice(headings[i].index + whole.length, headings[i + 1]?.index))),
    }));
  });

/** The search index: all sections of all pages as JSON, with paths relative to the index. */
export function searchIndex(pages) {
  const entries = pages
    .flatMap(sectionsOf)
    .map(({ url, page, title, about, text }) =>
      JSON.stringify({ url: relativeTo('/docs/search.json', url), page, title, about, text }),
    );
  return `[${entries.join(',\n')}]\n`;
}

/** A complete page with header and navigation, made of the HTML in `assets/frame.html`. */
export function framed(frame, page, navigation) {
  const parts = {
    title: html`${page.title}`,
    description: page.about
      ? html`<meta name="description" content="Pet Store API: ${page.about.replaceAll('`', '')}" />`
      : NOTHING,
    markdown: page.markdown
      ? html`<link rel="alternate" type="text/markdown" href="${markdownAddress(page)}" />`
      : NOTHING,
    navigation: html`${navigation.map(([title, links]) => navigationGroup(title, links, page))}`,
    width: html`${page.isWide ? 'wide' : 'text'}`,
    content: html`${page.parts}`,
  };
  const whole = frame.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name].text);
  return withRelativeLinks(page.path, whole);
}

/** The path of a page as Markdown. */
export const markdownAddress = ({ name }) => `/docs/${name}.md`;

/** The links to all pages, and to each operation, in groups. */
export function navigationOf(pages, operations) {
  const linkTo = ({ path, title }) => ({ href: path, text: title });
  const named = (name) => linkTo(pages.find((page) => page.name === name));
  return [
    ['Learn', pages.filter(({ file, name }) => file && name !== 'changelog').map(linkTo)],
    [
      'Reference',
      [
        { href: '/docs/reference', text: 'All operations' },
        ...operations.map(({ operationId: id, method, deprecated, 'x-stability': stability }) => ({
          href: `/docs/reference#${id}`,
          text: id,
          method,
          mark: deprecated ? 'deprecated' : stability,
        })),
      ],
    ],
    [
      'More',
      [
        ...['errors', 'deprecations', 'changelog'].map(named),
        { href: '/openapi.json', text: 'OpenAPI document' },
      ],
    ],
  ];
}

const navigationGroup = (title, links, page) =>
  html`<p class="group">${title}</p>
    <ul>
      ${links.map(({ href, text, method, mark }) => {
        const isCurrent = href === page.path;
        const current = isCurrent ? html` aria-current="page"` : NOTHING;
        const label = method
          ? html`<span class="method ${method.toLowerCase()}">${method}</span> ${text}`
          : html`${text}`;
        const marked = mark ? html` <span class="mark">${mark}</span>` : NOTHING;
        const below = isCurrent ? partsOf(page) : NOTHING;
        return html`<li><a href="${href}" ${current}>${label}${marked}</a>${below}</li>`;
      })}
    </ul>`;

/** A longer list does not help, and the navigation contains the operations of the reference anyway. */
const MOST_PARTS = 20;

/** The sections of the current page. */
function partsOf(page) {
  const parts = page.isWide ? [] : sectionsOf(page).filter(({ level }) => level === 2);
  if (parts.length < 2 || parts.length > MOST_PARTS) return NOTHING;
  return html`<ul>
    ${parts.map(({ url, title }) => html`<li><a href="${url}">${title}</a></li>`)}
  </ul>`;
}
