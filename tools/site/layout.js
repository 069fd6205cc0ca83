import { Html, html, NOTHING, only, visibleText } from './markup.js';

/**
 * @typedef {object} Page a page without its frame; addresses in it begin with `/docs`
 * @property {string} path its address
 * @property {string} name the name of its files
 * @property {string} title
 * @property {string} about what is on it: a clause
 * @property {{ html: Html, only?: string[] }[]} parts whole sections, each with the operations without which it is not shown
 * @property {string} markdown the same as Markdown
 * @property {string[]} [only] the operations without which there is no such page
 * @property {boolean} [isWide] whether it uses the full width; otherwise it is as wide as text is easy to read
 */

const contentOf = ({ parts }) => html`${parts.map((part) => only(part.only ?? [], part.html))}`;

/** Puts before the addresses of this site what the service replaces by its path at its host, as configured. */
export const rooted = (text) => text.replaceAll(/\b(href|src)="\//g, '$1="{{base}}/');

const HEADING = /<h([123]) id="([^"]*)">(.*?)<\/h\1>/gs;

/** Splits a page into sections at its headings, which have the form that `renderMarkdown` gives them. */
const sectionsOf = ({ path, title: page, parts, only: needed = [] }) =>
  parts.flatMap(({ html: { text }, only: neededHere = [] }) => {
    const headings = [...text.matchAll(HEADING)];
    return headings.map(([whole, level, anchor, heading], i) => ({
      needed,
      neededHere,
      level: Number(level),
      url: level === '1' ? path : `${path}#${anchor}`,
      page,
      title: visibleText(new Html(heading)),
      text: visibleText(new Html(text.slice(headings[i].index + whole.length, headings[i + 1]?.index))),
    }));
  });

/** The search index: all sections of all pages as JSON, but for the marks around those that are not always shown. */
export function searchIndex(pages) {
  const entries = pages.flatMap(sectionsOf).map(({ needed, neededHere, url, page, title, text }, i) => {
    const entry = JSON.stringify({ url: `{{base}}${url}`, page, title, text });
    return only(needed, only(neededHere, i === 0 ? entry : `,\n${entry}`));
  });
  return `[${entries.join('')}]\n`;
}

/** A complete page with header and navigation, made of the HTML in `assets/frame.html`. */
export function framed(frame, page, navigation) {
  const parts = {
    title: html`${page.title}`,
    markdown: page.markdown
      ? html`<link rel="alternate" type="text/markdown" href="${markdownAddress(page)}" />`
      : NOTHING,
    navigation: html`${navigation.map(([title, links]) => navigationGroup(title, links, page))}`,
    width: html`${page.isWide ? 'wide' : 'text'}`,
    content: contentOf(page),
  };
  return rooted(frame.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name].text));
}

/** The address of a page as Markdown. */
export const markdownAddress = ({ name }) => `/docs/${name}.md`;

/** The links to all pages, and to each operation, in groups. */
export function navigationOf(pages, operations) {
  const linkTo = ({ path, title, only: needed }) => ({ href: path, text: title, only: needed });
  const named = (name) => linkTo(pages.find((page) => page.name === name));
  return [
    ['Learn', pages.filter(({ file, name }) => file && name !== 'changelog').map(linkTo)],
    [
      'Reference',
      [
        { href: '/docs/reference', text: 'All operations' },
        ...operations.map(({ operationId: id, method }) => ({
          href: `/docs/reference#${id}`,
          text: id,
          method,
          only: [id],
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
      ${links.map(({ href, text, method, only: needed = [] }) => {
        const isCurrent = href === page.path;
        const current = isCurrent ? html` aria-current="page"` : NOTHING;
        const label = method
          ? html`<span class="method ${method.toLowerCase()}">${method}</span> ${text}`
          : html`${text}`;
        const below = isCurrent ? partsOf(page) : NOTHING;
        return only(needed, html`<li><a href="${href}" ${current}>${label}</a>${below}</li>`);
      })}
    </ul>`;

/** A longer list does not help. The operations of the reference are in the navigation anyway. */
const MOST_PARTS = 20;

/** The sections of the current page. */
function partsOf(page) {
  const parts = page.isWide ? [] : sectionsOf(page).filter(({ level }) => level === 2);
  if (parts.length < 2 || parts.length > MOST_PARTS) return NOTHING;
  const items = parts.map(({ url, title, neededHere }) =>
    only(neededHere, html`<li><a href="${url}">${title}</a></li>`),
  );
  return html`<ul>
    ${items}
  </ul>`;
}
