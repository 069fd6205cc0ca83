import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { changesByVersion } from './changes.js';
import { deprecationsPage } from './deprecations.js';
import { contentsOf } from './document.js';
import { errorsPage } from './errors.js';
import { feedOf } from './feed.js';
import { framed, markdownAddress, navigationOf, searchIndex } from './layout.js';
import { brokenLinks } from './links.js';
import { tableOf } from './markdown.js';
import { changedBy, html, only } from './markup.js';
import { referencePage } from './reference.js';
import { BadSource, readDocument, readText, sourcesOf } from './sources.js';
import { markdownOf, renderText, writtenPage } from './written.js';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const ASSET_TYPES = { css: 'text/css; charset=utf-8', js: SCRIPT, svg: 'image/svg+xml' };
const require = createRequire(import.meta.url);
const ASSETS = join(import.meta.dirname, 'assets');

/** The OpenAPI documents. The service itself answers with the first, which knows its configuration. */
const DOCUMENTS = { JSON: '/openapi.json', 'OpenAPI 3.0': '/docs/openapi-3.0.json' };

/**
 * The files of the site, each with its content, its media type, the paths that it is served at, the operations without which it is
 * not served (`only`), and those whose removal changes it (`gone`). `root` is the address of the repository's folder.
 * @throws BadSource
 */
export function siteOf(root) {
  const document = readDocument(root);
  const contents = contentsOf(document);
  const sources = sourcesOf(root, contents);
  const addresses = addressesOf(sources);
  const pages = pagesOf(sources, { ...contents, addresses, changes: changesByVersion(root) });
  const faults = brokenIn(sources, pages, addresses, root);
  if (faults.length > 0) throw new BadSource(faults.join('\n'));
  return [
    ...pageFiles(pages, contents),
    file('search.json', JSON_TYPE, searchIndex(pages)),
    file('changelog.atom', 'application/atom+xml', feedOf(pages.find(({ name }) => name === 'changelog'))),
    file('llms.txt', 'text/plain; charset=utf-8', forPrograms(document, pages), { paths: ['/llms.txt'] }),
    file('openapi-3.0.json', JSON_TYPE, withServer(readText(root, 'docs/openapi-3.0.json'))),
    file('minisearch.js', SCRIPT, minisearch()),
    ...assets(),
  ];
}

/** A file; at first it is served under its own name below `/docs`. */
const file = (name, type, content, more) => {
  const gone = changedBy(content);
  return { file: name, type, paths: [`/docs/${name}`], ...(gone.length > 0 && { gone }), ...more, content };
};

/** All that links may lead to, by address: where it is on the pages, where for readers of Markdown, and what it depends on. */
const addressesOf = (sources) =>
  new Map(
    [
      ...sources,
      ...['reference', 'errors', 'deprecations'].map((name) => ({ path: `/docs/${name}`, name, only: [] })),
    ]
      .map((page) => ({ path: page.path, markdown: markdownAddress(page), only: page.only, file: page.file }))
      .concat(Object.values(DOCUMENTS).map((path) => ({ path, markdown: path, only: [] })))
      .map((address) => [address.path, address]),
  );

function pagesOf(sources, context) {
  const { operations, errors, deprecated } = context;
  const written = sources.map((source) => writtenPage(source, context));
  const guide = sources.find(({ name }) => name === 'guide');
  const detailCodes = tableOf(guide.text, '`details[].code`');
  const details = {
    html: renderText(detailCodes, guide, context),
    markdown: markdownOf(detailCodes, guide, context),
  };
  return [
    ...written,
    referencePage(operations, DOCUMENTS),
    errorsPage(errors, details),
    deprecationsPage(deprecated),
  ];
}

function brokenIn(sources, pages, addresses, root) {
  const ids = new Map(
    pages.map(({ path, parts }) => [
      path,
      new Set(parts.flatMap((part) => [...part.html.text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))),
    ]),
  );
  return sources.flatMap((source) => brokenLinks(source, { root, addresses, ids }));
}

function pageFiles(pages, { operations }) {
  const frame = readFileSync(join(ASSETS, 'frame.html'), 'utf8');
  const navigation = navigationOf(pages, operations);
  const notFound = { path: '/docs/not-found', title: 'Nothing here', parts: [{ html: NOT_FOUND }] };
  return [
    ...pages.flatMap((page) => {
      const { path, name, only: operations = [] } = page;
      const needed = operations.length > 0 && { only: operations };
      const paths = [path, `${path}/`];
      return [
        file(`${name}.html`, HTML, framed(frame, page, navigation), { paths, ...needed }),
        file(`${name}.md`, MARKDOWN, page.markdown, { paths: [markdownAddress(page), ...paths], ...needed }),
      ];
    }),
    file('not-found.html', HTML, framed(frame, notFound, navigation), { paths: [], status: 404 }),
  ];
}

/** The page for unknown addresses. */
const NOT_FOUND = html`<h1 id="nothing">Nothing is at this address</h1>
  <p class="lead">Begin at the <a href="/docs">quick start</a>, or search above.</p>`;

/** What is here, for programs that read (https://llmstxt.org). */
function forPrograms({ info }, pages) {
  const lineOf = (page) =>
    only(page.only ?? [], `- [${page.title}]({{base}}${markdownAddress(page)}): ${page.about}\n`);
  const [summary, ...more] = info.description.split('\n\n');
  const isOptional = ({ name }) => name === 'changelog';
  return `# ${info.title}

> ${summary.replaceAll('\n', ' ')}

${more.join('\n\n')}

## Documentation

${pages
  .filter((page) => !isOptional(page))
  .map(lineOf)
  .join('')}- [OpenAPI document]({{base}}/openapi.json): all of the interface, of OpenAPI 3.1

## Optional

${pages.filter(isOptional).map(lineOf).join('')}`;
}

/** The document of OpenAPI 3.0 knows no configuration: the service that it came from is its server. */
const withServer = (text) =>
  `${JSON.stringify({ ...JSON.parse(text), servers: [{ url: '{{base}}/v1' }] }, null, 2)}\n`;

/** The search as one script for browsers. */
const minisearch = () => readFileSync(join(require.resolve('minisearch'), '../../es/index.js'), 'utf8');

const assets = () =>
  readdirSync(ASSETS)
    .filter((name) => name !== 'frame.html')
    .map((name) => file(name, ASSET_TYPES[name.split('.').at(-1)], readFileSync(join(ASSETS, name), 'utf8')));
