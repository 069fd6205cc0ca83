import { Html, html, NOTHING, visibleText } from './markup.js';

/** A page without its frame. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly content: Html;
  /** Uses the full width; otherwise the page is as wide as text is easy to read. */
  readonly isWide?: boolean;
}

export type Navigation = readonly (readonly [title: string, links: readonly NavigationLink[]])[];

export interface NavigationLink {
  readonly href: string;
  readonly text: string;
  readonly method?: string;
}

/** A section of a page with its address, for the search and the navigation. */
export interface Section {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly level: number;
  readonly text: string;
}

const HEADING = /<h([123]) id="([^"]*)">(.*?)<\/h\1>/gs;

/** Splits a page into sections at its headings, which have the form that `renderMarkdown` gives them. */
export function sectionsOf({ path, title: page, content: { text } }: Page): Section[] {
  const headings = [...text.matchAll(HEADING)];
  return headings.map(([whole, level, anchor, heading], i) => ({
    url: level === '1' ? path : `${path}#${anchor}`,
    page,
    title: visibleText(new Html(heading!)),
    level: Number(level),
    text: visibleText(new Html(text.slice(headings[i]!.index + whole.length, headings[i + 1]?.index))),
  }));
}

/** A complete page with header and navigation, made of the HTML in `assets/frame.html`. */
export function framed(frame: string, page: Page, navigation: Navigation): string {
  const parts: Readonly<Record<string, Html>> = {
    title: html`${page.title}`,
    navigation: html`${navigation.map(([title, links]) => navigationGroup(title, links, page))}`,
    width: html`${page.isWide ? 'wide' : 'text'}`,
    content: page.content,
  };
  return frame.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name]!.text);
}

function navigationGroup(title: string, links: readonly NavigationLink[], page: Page): Html {
  return html`<p class="group">${title}</p>
    <ul>
      ${links.map(({ href, text, method }) => {
        const isCurrent = href === page.path;
        const current = isCurrent ? html` aria-current="page"` : NOTHING;
        const label = method
          ? html`<span class="method ${method.toLowerCase()}">${method}</span> ${text}`
          : html`${text}`;
        return html`<li><a href="${href}" ${current}>${label}</a>${isCurrent ? partsOf(page) : NOTHING}</li>`;
      })}
    </ul>`;
}

/** A longer list does not help. The operations of the reference are in the navigation anyway. */
const MOST_PARTS = 20;

/** The sections of the current page. */
function partsOf(page: Page): Html {
  const parts = page.isWide ? [] : sectionsOf(page).filter(({ level }) => level === 2);
  if (parts.length < 2 || parts.length > MOST_PARTS) return NOTHING;
  return html`<ul>
    ${parts.map(({ url, title }) => html`<li><a href="${url}">${title}</a></li>`)}
  </ul>`;
}
