import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Links } from '../links.js';
import { factsOf } from '../request.js';
import { nameOfPath } from '../routes/routes.js';
import type { RoutesAdapter } from '../server/routes.adapter.js';

/** The folder in which `npm run build` puts the site. The path is the same from the source and from the build. */
const SITE = new URL('../../../../dist/site/', import.meta.url);
/** The files by their paths in URLs. */
const LIST = new URL('files.json', SITE);

/** The workflows, which refer to the OpenAPI document. */
const WORKFLOWS = '/docs/petstore.arazzo.yaml';

/** Pages load scripts, styles and images from this service, and send requests to this service only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the pages of the documentation and the other files that `tools/site` has built. Warns if they are not built. */
@Injectable()
export class Site implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost<RoutesAdapter>,
    private readonly links: Links,
  ) {}

  /** Adds a route for each file. The routes of the operations come first. */
  onModuleInit(): void {
    const adapter = this.host.httpAdapter as RoutesAdapter | undefined;
    // A command does not have a server.
    if (!adapter) return;
    if (!existsSync(LIST)) {
      new Logger('Start').warn('No pages at /docs, because they are not built: npm run build makes them.');
      return;
    }
    const list = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, string>;
    const add = (path: string, handler: RequestHandler) => {
      const operation = nameOfPath(path);
      adapter.get(path, (request: Request, response: Response, next?: Function) => {
        factsOf(request).route = { operation };
        return handler(request, response, next as NextFunction);
      });
    };
    for (const [path, file] of Object.entries(list)) {
      add(path, path === WORKFLOWS ? this.#sendWorkflows(file) : send(file));
      // The links of a page are relative, so it has only one URL.
      if (path === '/docs/') add('/docs', redirectTo('docs/'));
      else if (file.endsWith('.html')) add(`${path}/`, redirectTo(`../${path.split('/').at(-1)}`));
    }
    adapter.use(sendUnknownPage);
  }

  /** Sends the workflows with the URL of this service's document, so that a saved copy of them can be run. */
  #sendWorkflows(file: string): RequestHandler {
    const text = readFileSync(new URL(file, SITE), 'utf8');
    return (request, response) => {
      const document = this.links.of(request).beside('/openapi.json');
      response
        .set({ 'Content-Type': 'text/yaml; charset=utf-8', 'Cache-Control': 'no-cache' })
        .send(text.replace('../openapi.json', document));
    };
  }
}

function redirectTo(url: string): RequestHandler {
  return (_, response) => response.redirect(301, url);
}

function send(file: string): RequestHandler {
  return (request, ...rest) => files(Object.assign(request, { url: `/${file}` }), ...rest);
}

const files = express.static(fileURLToPath(SITE), {
  dotfiles: 'allow',
  fallthrough: false,
  acceptRanges: false,
  cacheControl: false,
  setHeaders(response, path) {
    response.setHeader('Cache-Control', response.statusCode === 404 ? 'no-store' : 'no-cache');
    if (path.endsWith('.html')) response.setHeader('Content-Security-Policy', POLICY);
    if (!path.endsWith('api-catalog')) return;
    // RFC 9727 sections 2 and 4.2.
    response.type('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
    response.links({ 'api-catalog': 'api-catalog' });
  },
});

/** Answers browsers, which prefer HTML to JSON, if there is no page at the URL. */
const sendUnknownPage: RequestHandler = (request, response, next) => {
  const isPage = ['GET', 'HEAD'].includes(request.method) && /^\/docs\/[^/]+$/.test(request.path);
  if (!isPage || request.accepts(['application/json', 'text/html']) !== 'text/html') next();
  else void send('docs/not-found.html')(request, response.status(404), next);
};
