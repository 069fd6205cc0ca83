import { existsSync, readFileSync } from 'node:fs';

/** The site cannot be built. The message has a sentence for each fault. */
export class BadSource extends Error {}

/** Reads a text of the repository, with any line ends. `root` is the URL of the repository's folder. @throws BadSource */
export function readText(root, file) {
  try {
    return readFileSync(new URL(file, root), 'utf8').replaceAll('\r\n', '\n');
  } catch (error) {
    throw new BadSource(`${file} cannot be read (${error.code}): the pages are built of it.`);
  }
}

/** The OpenAPI document. @throws BadSource */
export function readDocument(root) {
  const text = readText(root, 'docs/openapi.json');
  try {
    const document = JSON.parse(text);
    if (document['x-error-codes']) return document;
  } catch {
    // The remedy is the same.
  }
  throw new BadSource('docs/openapi.json is not what npm run document writes: run it.');
}

/** The files that become pages, with their texts, in the order of the navigation. @throws BadSource */
export function sourcesOf(root, { areas }) {
  const isWritten = ([area]) => existsSync(new URL(`docs/modules/${area}.md`, root));
  const list = [
    {
      file: 'docs/quick-start.md',
      path: '/docs/',
      name: 'quick-start',
      about: 'from an API key to the first request',
    },
    {
      file: 'docs/api.md',
      path: '/docs/guide',
      name: 'guide',
      title: 'Guide',
      about: 'what clients can rely on, from authentication to retries',
    },
    ...areas.filter(isWritten).map(([area, path]) => ({
      file: `docs/modules/${area}.md`,
      path: `/docs/guide/${area}`,
      name: `guide/${area}`,
      about: `the operations below ${path}`,
    })),
    {
      file: 'client/README.md',
      path: '/docs/client',
      name: 'client',
      title: 'JavaScript client',
      about: '`@petstore/client`, for TypeScript and JavaScript, in Node.js and browsers',
    },
    {
      file: 'mcp/README.md',
      path: '/docs/mcp',
      name: 'mcp',
      title: 'MCP server',
      about: '`petstore-mcp`, which offers the operations as tools for agents',
    },
    {
      file: 'CHANGELOG.md',
      path: '/docs/changelog',
      name: 'changelog',
      about: 'what has changed, by version',
    },
  ];
  return list.map((source) => {
    const text = readText(root, source.file);
    return { title: /^# (.+)$/m.exec(text)?.[1] ?? source.name, ...source, text };
  });
}
