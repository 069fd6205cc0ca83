import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { changesByVersion } from './changes.js';
import { deprecationsPage } from './deprecations.js';
import { basePathOf, contentsOf } from './document.js';
import { errorsPage } from './errors.js';
import { feedOf } from './feed.js';
import { framed, markdownAddress, navigationOf, relativeTo, searchIndex } from './layout.js';
import { brokenLinks } from './links.js';
import { tableOf } from './markdown.js';
import { html } from './markup.js';
import { referencePage } from './reference.js';
import { BadSource, readDocument, readText, sourcesOf } from './sources.js';
import { withTools } from './tools.js';
import { markdownOf, renderText, SERVICE, writtenPage } from './written.js';

const require = createRequire(import.meta.url);
const ASSETS = join(import.meta.dirname, 'assets');

/** The documents for programs. The service itself serves the OpenAPI document, because it contains configured URLs. */
const WORKFLOWS = 'docs/petstore.arazzo.yaml';
const DOCUMENTS = {
  JSON: { path: '/openapi.json', file: 'docs/openapi.json' },
  'OpenAPI 3.0': { path: '/docs/openapi-3.0.json', file: 'docs/openapi-3.0.json' },
  'workflows (Arazzo)': { path: `/${WORKFLOWS}`, file: WORKFLOWS },
};

/**
 * The files of the site with their contents, by name. The name is the path of the file, and the name of a page has the extension
 * `.html`. `root` is the URL of the repository's folder.
 * @throws BadSource
 */
export function siteOf(root) {
  const document = readDocument(root);
  const contents = contentsOf(document);
  const sources = sourcesOf(root, contents);
  const addresses = addressesOf(sources);
  const whole = sources.map((source) =>
    source.name === 'mcp' ? { ...source, text: withTools(source.text, document) } : source,
  );
  const pages = pagesOf(whole, { ...contents, addresses, changes: changesByVersion(root) });
  const faults = brokenIn(sources, pages, addresses, root);
  if (faults.length > 0) throw new BadSource(faults.join('\n'));
  const changelog = pages.find(({ name }) => name === 'changelog');
  return new Map([
    ...pageFiles(pages, contents),
    ['docs/search.json', searchIndex(pages)],
    ['docs/changelog.atom', feedOf(changelog, '/docs/changelog.atom')],
    ['docs/openapi-3.0.json', withServer(readText(root, 'docs/openapi-3.0.json'), basePathOf(document))],
    [WORKFLOWS, readText(root, WORKFLOWS).replace('url: openapi.json', 'url: ../openapi.json')],
    ['docs/minisearch.js', minisearch()],
    ['llms.txt', forPrograms(document, pages)],
    ['.well-known/api-catalog', apiCatalog(basePathOf(document))],
    ...assets(),
  ]);
}

/** All targets of links, by path: the path on the pages, and the path of the Markdown. */
const addressesOf = (sources) =>
  new Map(
    [...sources, ...['reference', 'errors', 'deprecations'].map((name) => ({ path: `/docs/${name}`, name }))]
      .map((page) => ({ path: page.path, markdown: markdownAddress(page), file: page.file }))
      .concat(Object.values(DOCUMENTS).map(({ path, file }) => ({ path, markdown: path, file })))
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
  const idsIn = ({ text }) => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const ids = new Map(pages.map(({ path, parts }) => [path, new Set(parts.flatMap(idsIn))]));
  return sources.flatMap((source) => brokenLinks(source, { root, addresses, ids }));
}

function pageFiles(pages, { operations }) {
  const frame = readFileSync(join(ASSETS, 'frame.html'), 'utf8');
  const navigation = navigationOf(pages, operations);
  const htmlFile = (page) => [
    `${page.path.slice(1).replace(/\/$/, '/index')}.html`,
    framed(frame, page, navigation),
  ];
  return [
    ...pages.map(htmlFile),
    ...pages.map((page) => [markdownAddress(page).slice(1), page.markdown]),
    htmlFile({ path: '/docs/not-found', title: 'Page not found', parts: [NOT_FOUND] }),
  ];
}

/** The page for unknown addresses. */
const NOT_FOUND = html`<h1 id="nothing">No page has this URL</h1>
  <p class="lead">Begin with the <a href="/docs/">quick start</a>, or search above.</p>`;

/** The list of pages for programs that read (https://llmstxt.org). */
function forPrograms({ info }, pages) {
  const lineOf = (page) =>
    `- [${page.title}](${relativeTo('/llms.txt', markdownAddress(page))}): ${page.about}\n`;
  const [summary, ...more] = info.description.split('\n\n');
  const isOptional = ({ name }) => name === 'changelog';
  return `# ${info.title}

> ${summary.replaceAll('\n', ' ')}

${more.join('\n\n')}

In samples, ${SERVICE} stands for the service that serves this file (/llms.txt).

## Documentation

${pages
  .filter((page) => !isOptional(page))
  .map(lineOf)
  .join('')}- [OpenAPI document](openapi.json): the whole API, in OpenAPI 3.1
- [Workflows](${WORKFLOWS}): calls that read, sell a pet, or cancel an order, in Arazzo

## Optional

${pages.filter(isOptional).map(lineOf).join('')}`;
}

/** The APIs of the service as a set of links (RFC 9727 section 4, RFC 9264 section 4.2), relative to its own URL. */
function apiCatalog(basePath) {
  const to = (path, type) => [{ href: relativeTo('/.well-known/api-catalog', path), type }];
  const [{ href: anchor }] = to(basePath);
  const context = {
    anchor,
    'service-desc': to('/openapi.json', 'application/json'),
    'service-doc': [...to('/docs/', 'text/html'), ...to('/docs/mcp', 'text/html')],
    'service-meta': to(`/${WORKFLOWS}`, 'text/yaml'),
    status: to('/readyz', 'application/json'),
  };
  return `${JSON.stringify({ linkset: [context] })}\n`;
}

/** The document of OpenAPI 3.0 contains no configured URLs, so its server is the service that it came from. */
const withServer = (text, basePath) =>
  `${JSON.stringify({ ...JSON.parse(text), servers: [{ url: `..${basePath}` }] }, null, 2)}\n`;

/** The search as one script for browsers. */
const minisearch = () => readFileSync(join(require.resolve('minisearch'), '../../es/index.js'), 'utf8');

const assets = () =>
  readdirSync(ASSETS)
    .filter((name) => name !== 'frame.html')
    .map((name) => [`docs/${name}`, readFileSync(join(ASSETS, name), 'utf8')]);
