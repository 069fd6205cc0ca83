import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { factsOf } from '../request.js';
import type { RoutesAdapter } from '../server/routes.adapter.js';

/** Where `npm run build` puts the site, by the same path from the source and from the build, with a list of its files by address. */
const SITE = new URL('../../../../dist/site/', import.meta.url);
const LIST = new URL('files.json', SITE);

/** Scripts, styles and images come from this service, and pages send requests to this service only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The pages of the documentation, and what else `tools/site` has built: nothing, with a warning, if it was not run. */
@Injectable()
export class Site implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<RoutesAdapter>) {}

  /** Adds a route for each file, behind those of the operations, for Express tries them in order. */
  onModuleInit(): void {
    const adapter = this.host.httpAdapter as RoutesAdapter | undefined;
    // A command has no server.
    if (!adapter) return;
    if (!existsSync(LIST)) {
      new Logger('Start').warn('No pages at /docs, because they are not built: npm run build makes them.');
      return;
    }
    const list = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, string>;
    const add = (address: string, handler: RequestHandler) => {
      const operation = /[^/.]+/.exec(address)?.[0] ?? 'index';
      adapter.get(address, (request: Request, response: Response, next?: Function) => {
        factsOf(request).route = { operation };
        return handler(request, response, next as NextFunction);
      });
    };
    for (const [address, file] of Object.entries(list)) {
      add(address, send(file));
      // The links of a page are relative, so it has one address only.
      if (address === '/docs/') add('/docs', redirectTo('docs/'));
      else if (file.endsWith('.html')) add(`${address}/`, redirectTo(`../${address.split('/').at(-1)}`));
    }
    adapter.use(sendUnknownPage);
  }
}

function redirectTo(address: string): RequestHandler {
  return (_, response) => response.redirect(301, address);
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

/** Answers browsers, which prefer HTML to JSON, where no page is. */
const sendUnknownPage: RequestHandler = (request, response, next) => {
  const isPage = ['GET', 'HEAD'].includes(request.method) && /^\/docs\/[^/]+$/.test(request.path);
  if (!isPage || request.accepts(['application/json', 'text/html']) !== 'text/html') next();
  else void send('docs/not-found.html')(request, response.status(404), next);
};
