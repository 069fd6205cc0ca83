import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { pathPrefix } from '../links.js';
import { type Pages, StaticFile } from './static-file.js';

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

/** What is not known before the service runs. */
interface Circumstances {
  /** The names of the operations in this configuration, removed ones included. */
  readonly served: ReadonlySet<string>;
  /** Whether an operation has been removed and answers 410. */
  readonly isGone: (operation: string) => boolean;
  readonly baseUrl: string | undefined;
}

/** The pages of the documentation, and what else `tools/site` has built; none, with a warning, if nothing is built. */
export function builtPages(circumstances: Circumstances): Pages {
  const list = new URL('files.json', SITE);
  if (!existsSync(list)) {
    new Logger('Start').warn(
      'There are no pages at /docs, because they are not built: npm run build makes them.',
    );
    return { files: {} };
  }
  const { served, isGone } = circumstances;
  const forms = new Map<string, StaticFile[]>();
  let notFound: StaticFile | undefined;
  for (const built of JSON.parse(readFileSync(list, 'utf8')) as BuiltFile[]) {
    const { type, paths, only, gone = [], status } = built;
    if (only && !only.some((operation) => served.has(operation))) continue;
    const read = async () => fitted(await readFile(new URL(built.file, SITE), 'utf8'), type, circumstances);
    const version = () => gone.filter(isGone).join();
    const isPage = type.startsWith('text/html');
    const headers = { 'Content-Security-Policy': POLICY };
    const file = new StaticFile(type, read, { version, ...(isPage && { headers }) });
    if (status === 404) notFound = file;
    for (const path of paths) forms.set(path, [...(forms.get(path) ?? []), file]);
  }
  const files = [...forms].map(([path, files]) => [path, files.length > 1 ? negotiated(files) : files[0]!]);
  return { files: Object.fromEntries(files) as Pages['files'], ...(notFound && { notFound }) };
}

/** Answers with the form that the client prefers (RFC 9110 section 12.5.1), or the first. */
const negotiated = (forms: readonly StaticFile[]) => ({
  sendTo(response: Response): Promise<void> {
    response.vary('Accept');
    const wanted = response.req.accepts(forms.map(({ type }) => type.split(';')[0]!));
    return (forms.find(({ type }) => type.startsWith(`${wanted};`)) ?? forms[0]!).sendTo(response);
  },
});

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
