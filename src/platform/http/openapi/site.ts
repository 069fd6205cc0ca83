import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '../../config/settings.js';
import { Routes, setRoute } from '../routes.js';
import { pathPrefix } from '../links.js';
import { ApiDocument } from './api-document.js';
import type { AllowedMethods, RoutesAdapter } from '../server/routes.adapter.js';
import { StaticFile } from './static-file.js';

/** Where `npm run build` puts the site, by the same path from the source and from the build. */
const SITE = new URL('../../../../dist/site/', import.meta.url);

/** Scripts, styles and images come from this service, and pages send requests to this service only. */
const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((kind) => `${kind} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
].join('; ');

/** A file of the site, as `files.json` lists it. Files with one path are forms of one page, the first of them by default. */
interface BuiltFile {
  readonly file: string;
  readonly type: string;
  readonly paths: readonly string[];
  /** The operations without any of which the file is not served. */
  readonly only?: readonly string[];
  /** The deprecated operations whose removal changes the file. */
  readonly gone?: readonly string[];
  /** 404: the page for unknown addresses. */
  readonly status?: number;
}

/** The pages of the documentation, and what else `tools/site` has built: nothing, with a warning, if it was not run. */
@Injectable()
export class Site implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost<RoutesAdapter>,
    private readonly routes: Routes,
    private readonly document: ApiDocument,
    private readonly settings: Settings,
  ) {}

  /** Adds routes behind those of the operations, for Express tries them in order. */
  onModuleInit(): void {
    const adapter = this.host.httpAdapter as RoutesAdapter | undefined;
    const list = new URL('files.json', SITE);
    // A command has no server.
    if (!adapter) return;
    if (!existsSync(list)) {
      new Logger('Start').warn(
        'There are no pages at /docs, because they are not built: npm run build makes them.',
      );
      return;
    }
    const served = new Set(this.routes.all().map(({ operation }) => operation));
    const forms = new Map<string, StaticFile[]>();
    for (const built of JSON.parse(readFileSync(list, 'utf8')) as BuiltFile[]) {
      if (built.only && !built.only.some((operation) => served.has(operation))) continue;
      const file = this.#fileOf(built, served);
      if (built.status === 404) adapter.use(unknownPage(file, adapter.allowedMethods));
      for (const path of built.paths) forms.set(path, [...(forms.get(path) ?? []), file]);
    }
    for (const [path, files] of forms)
      adapter.get(path, (request: Request, response: Response) => {
        setRoute(request, { operation: /[^/.]+/.exec(path)?.[0] ?? 'index' });
        return sendPreferred(files, response);
      });
  }

  #fileOf({ file, type, gone = [] }: BuiltFile, served: ReadonlySet<string>): StaticFile {
    const isGone = (operation: string) => this.document.removed().includes(operation);
    const circumstances = { served, isGone, baseUrl: this.settings.baseUrl };
    const read = async () => fitted(await readFile(new URL(file, SITE), 'utf8'), type, circumstances);
    const version = () => gone.filter(isGone).join();
    const headers = { 'Content-Security-Policy': POLICY };
    return new StaticFile(type, read, { version, ...(type.startsWith('text/html') && { headers }) });
  }
}

/** Answers browsers, which prefer HTML to JSON, at addresses where nothing is. Below `/v1` everybody gets the Error body. */
const unknownPage =
  (page: StaticFile, allowedMethods: AllowedMethods) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^\/v1(?:\/|$)/.test(request.path) &&
      request.accepts(['application/json', 'text/html']) === 'text/html';
    if (isPage && allowedMethods.of(request.path).length === 0) void page.sendTo(response, 404).catch(next);
    else next();
  };

/** Sends the form that the client prefers (RFC 9110 section 12.5.1), or the first. */
function sendPreferred(forms: readonly StaticFile[], response: Response): Promise<void> {
  if (forms.length > 1) response.vary('Accept');
  const wanted = forms.length > 1 && response.req.accepts(forms.map(({ type }) => type.split(';')[0]!));
  return (forms.find(({ type }) => type.startsWith(`${wanted};`)) ?? forms[0]!).sendTo(response);
}

/** What is not known before the service runs. */
interface Circumstances {
  /** The names of the operations in this configuration, removed ones included. */
  readonly served: ReadonlySet<string>;
  /** Whether an operation has been removed and answers 410. */
  readonly isGone: (operation: string) => boolean;
  readonly baseUrl: string | undefined;
}

/** `<!-- only listPets getPet -->` and `<!-- /only -->` stand around what is there for any of these operations. */
const MARK = /<!-- (\/?)(only|except|gone|current)\b([^>]*)-->/;

/** The address in commands if none is configured; on a page a script puts that of the page in its place. */
const ON_A_DESK = 'http://127.0.0.1:3000/v1';

/** A text without what does not apply, and with the addresses. */
function fitted(text: string, type: string, { served, isGone, baseUrl }: Circumstances): string {
  const applies: Readonly<Record<string, (operations: readonly string[]) => boolean>> = {
    only: (operations) => operations.some((operation) => served.has(operation)),
    except: (operations) => !operations.some((operation) => served.has(operation)),
    gone: (operations) => operations.some(isGone),
    current: (operations) => !operations.some(isGone),
  };
  const [first, ...parts] = text.split(MARK);
  let kept = first!;
  // Whether what is inside each open mark is kept.
  const open = [true];
  for (let i = 0; i < parts.length; i += 4) {
    const [slash, kind, operations, behind] = parts.slice(i, i + 4) as [string, string, string, string];
    if (slash) open.pop();
    else open.push(open.at(-1)! && applies[kind]!(operations.trim().split(' ')));
    if (open.at(-1)) kept += behind;
  }
  const address = /html|xml/.test(type) ? baseUrl?.replaceAll('&', '&amp;') : baseUrl;
  const unknown = type.startsWith('text/html') ? `<span data-address>${ON_A_DESK}</span>` : ON_A_DESK;
  return kept
    .replaceAll('{{address}}', () => address ?? unknown)
    .replaceAll('{{base}}', () => pathPrefix({ baseUrl: address }));
}
