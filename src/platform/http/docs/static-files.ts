import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpServer } from '@nestjs/common';
import type { Request, Response } from 'express';
import { entityTag, sendTagged } from '../server/send-json.js';

/** One way to write a file; each has a tag of its own. */
interface Form {
  readonly content: Buffer;
  readonly tag: string;
  readonly encoding?: 'gzip';
}

const compress = promisify(gzip);

/** A file that stays as it is while the service runs: a form of it is made when it is first asked for, and cached. */
export class StaticFile {
  readonly #plain = cached(async () => formOf(Buffer.from(await this.read())));
  readonly #compressed = cached(async (): Promise<Form> => {
    const plain = await this.#plain();
    const content = await compress(plain.content);
    return content.length < plain.content.length ? { ...formOf(content), encoding: 'gzip' } : plain;
  });

  constructor(
    private readonly type: string,
    private readonly read: () => string | Promise<Buffer>,
  ) {}

  async sendTo(response: Response): Promise<void> {
    const accepted = response.req.acceptsEncodings('gzip', 'identity');
    const { content, tag, encoding } = await (accepted === 'gzip' ? this.#compressed() : this.#plain());
    response.setHeader('Content-Type', this.type);
    response.setHeader('Cache-Control', 'no-cache');
    response.vary('Accept-Encoding');
    if (encoding) response.setHeader('Content-Encoding', encoding);
    sendTagged(response, content, tag);
  }
}

const formOf = (content: Buffer): Form => ({ content, tag: entityTag(content, false) });

/** Concurrent calls share one promise; what has failed is made anew. */
function cached<Content>(make: () => Promise<Content>): () => Promise<Content> {
  let content: Promise<Content> | undefined;
  const forget = (error: unknown) => {
    content = undefined;
    throw error;
  };
  return () => (content ??= make().catch(forget));
}

/** Serves files at these paths, to everybody. */
export function serveFiles(server: HttpServer, files: Readonly<Record<string, StaticFile>>): void {
  for (const [path, file] of Object.entries(files))
    server.get(path, (_: Request, response: Response) => file.sendTo(response));
}

/** Leads from a path with a slash at its end to the one without. Relative, since a proxy may have cut what stands before it. */
export const redirectSlash = (server: HttpServer, path: string): void =>
  server.get(`${path}/`, (_: Request, response: Response) => response.redirect(308, `..${path}`));

const require = createRequire(import.meta.url);
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const file = (type: string, path: string | URL) => new StaticFile(type, () => readFile(path));
const asset = (name: string) => new URL(`assets/${name}`, import.meta.url);

/** What the pages are made of, by path: our style and scripts, and the three files of Swagger UI that they need. */
export const STATIC_FILES: Readonly<Record<string, StaticFile>> = {
  '/docs/pages.css': file(CSS, asset('pages.css')),
  '/docs/init.js': file(SCRIPT, asset('init.js')),
  '/docs/lay-out-json.js': file(SCRIPT, asset('lay-out-json.js')),
  '/docs/swagger-ui.css': file(CSS, require.resolve('swagger-ui-dist/swagger-ui.css')),
  '/docs/swagger-ui-bundle.js': file(SCRIPT, require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  '/docs/favicon.png': file('image/png', require.resolve('swagger-ui-dist/favicon-32x32.png')),
};
