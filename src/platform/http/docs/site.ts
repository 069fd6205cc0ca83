import { readFile } from 'node:fs/promises';
import type { DeprecatedOperation } from '../deprecation/deprecation.js';
import type { ErrorEntry } from '../errors/error-codes.js';
import { framed, type Navigation, type Page, sectionsOf } from './layout.js';
import { renderMarkdown, tableOf } from './markdown.js';
import { Html, NOTHING } from './markup.js';
import type { Operation } from './openapi.js';
import { deprecationsPage, errorsPage, noticeOf, notFoundPage } from './pages.js';
import { referencePage } from './reference.js';

export interface SiteOptions {
  readonly pages: readonly string[];
  readonly operations: readonly Operation[];
  /** Areas with a page of their own in `docs/modules`. */
  readonly areas: readonly string[];
  readonly deprecated: readonly DeprecatedOperation[];
  readonly errors: readonly (readonly [code: string, entry: ErrorEntry])[];
  readonly baseUrl: string | undefined;
}

/** All pages by path, and the search index. `root` is the folder that contains `docs` and the changelog. */
export async function siteOf(options: SiteOptions, root: URL): Promise<ReadonlyMap<string, string>> {
  const { areas, operations, deprecated, errors } = options;
  const sources: Record<string, string> = {
    'docs/quick-start.md': '/docs',
    'docs/api.md': GUIDE,
    ...Object.fromEntries(areas.map((area) => [`docs/modules/${area}.md`, `/docs/guide/${area}`])),
    'CHANGELOG.md': '/docs/changelog',
  };
  const texts = await Promise.all(
    Object.keys(sources).map(async (file) =>
      forReaders(await readFile(new URL(file, root), 'utf8'), options),
    ),
  );
  const render = (file: string, text: string) => {
    const { text: rendered } = renderMarkdown(text, {
      addressOf: (target) => sources[new URL(target, new URL(file, root)).href.slice(root.href.length)],
      pages: [...options.pages, '/openapi.json', '/openapi.yaml', '/openapi-3.0.json'],
      keepsRow: (heads, cells) => isRowOf(options, heads, cells),
      below: (heading) => removalOf(deprecated, heading),
    });
    return new Html(rendered.replaceAll(`=${ON_A_DESK}`, `=<span data-address>${ON_A_DESK}</span>`));
  };
  const written = Object.entries(sources).map(([file, path], i): Page => {
    const text = texts[i]!;
    return {
      path,
      title: path === GUIDE ? 'Guide' : /^# (.+)$/m.exec(text)![1]!,
      content: render(file, text),
    };
  });
  const detailCodes = render('docs/api.md', tableOf(texts[1]!, '`details[].code`'));
  const pages: Page[] = [
    ...written,
    {
      path: '/docs/reference',
      title: 'Reference',
      content: referencePage(operations, deprecated),
      isWide: true,
    },
    { path: '/docs/errors', title: 'Errors', content: errorsPage(errors, detailCodes) },
    { path: '/docs/deprecations', title: 'Deprecations', content: deprecationsPage(deprecated) },
  ];
  const frame = await readFile(new URL('assets/frame.html', import.meta.url), 'utf8');
  const navigation = navigationOf(written, operations);
  const notFound: Page = { path: '/docs/not-found', title: 'Nothing here', content: notFoundPage };
  return new Map([
    ...[...pages, notFound].map((page) => [page.path, framed(frame, page, navigation)] as const),
    ['/docs/search.json', JSON.stringify(pages.flatMap(sectionsOf))],
  ]);
}

const GUIDE = '/docs/guide';

function navigationOf(written: readonly Page[], operations: readonly Operation[]): Navigation {
  const texts = written.filter(({ path }) => path !== '/docs/changelog');
  return [
    ['Learn', texts.map(({ path, title }) => ({ href: path, text: title }))],
    [
      'Reference',
      [
        { href: '/docs/reference', text: 'All operations' },
        ...operations.map(({ operationId, method }) => ({
          href: `/docs/reference#${operationId}`,
          text: operationId,
          method,
        })),
      ],
    ],
    [
      'More',
      [
        { href: '/docs/errors', text: 'Errors' },
        { href: '/docs/deprecations', text: 'Deprecations' },
        { href: '/docs/changelog', text: 'Changelog' },
        { href: '/openapi.json', text: 'OpenAPI document' },
      ],
    ],
  ];
}

/** Removes parts for readers of the repository, and inserts the configured address. */
function forReaders(markdown: string, { baseUrl }: SiteOptions): string {
  const text = markdown
    .replaceAll(/<!-- (areas|repository)\b.*?<!-- \/\1 -->/gs, '')
    .replaceAll(/^- For module authors:.*\n(?: {2}.*\n)*/gm, '');
  return baseUrl ? text.replaceAll(`PETSTORE=${ON_A_DESK}`, `PETSTORE=${baseUrl}`) : text;
}

/** The address in commands. If no other one is configured, `page.js` replaces it with the address of the page. */
const ON_A_DESK = 'http://127.0.0.1:3000/v1';

/** Whether a row of a table of operations or error codes applies to this service. */
function isRowOf(
  { operations, errors }: SiteOptions,
  heads: readonly string[],
  cells: readonly string[],
): boolean {
  const names = cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  if (heads[1] === 'Scope') return operations.some(({ operationId }) => names[0]!.includes(operationId));
  if (heads[1] === '`code`') return errors.some(([code]) => names[1]!.includes(code));
  return true;
}

/** A notice below the heading of an operation that has been removed. */
function removalOf(deprecated: readonly DeprecatedOperation[], heading: string): Html {
  const removed = deprecated.find(({ name, gone }) => gone && heading.startsWith(`${name}:`));
  return removed ? noticeOf(removed) : NOTHING;
}
