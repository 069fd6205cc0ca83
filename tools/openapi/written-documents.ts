import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { INestApplication } from '@nestjs/common';
import { format, resolveConfig } from 'prettier';
import { settingsOfModules } from '../../src/platform/config/module-settings.js';
import type { ErrorEntry } from '../../src/platform/http/errors/error-codes.js';
import { canvases } from './canvas.js';
import { openApiDocument } from './openapi-document.js';
import { contentsOf } from '../site/document.js';
import { boundsOf, partsOf } from '../site/operation.js';
import type { OpenApiDocument } from './openapi-types.js';

/**
 * The text of each file that is made from the source, as a whole or between two comments. Paths are relative to the folder of the
 * project, which is the working directory. `present` returns the present text of a canvas, whose statements are kept.
 */
export async function writtenDocuments(
  app: INestApplication,
  modules: readonly object[],
  present = presentText,
): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument(app);
  return new Map([
    ['docs/openapi.json', jsonOf(document)],
    ['docs/openapi-3.0.json', jsonOf(openApiDocument(app, '3.0.3'))],
    ['docs/api.md', await formatted('docs/api.md', apiGuide(document))],
    ...(await Promise.all(
      areaPages()
        .filter((file) => namesIn(presentText(file)).length > 0)
        .map(async (file) => {
          const text = withParameters(file, presentText(file), document);
          return [file, await formatted(file, text)] as const;
        }),
    )),
    ['.env.example', envExampleOf(modules)],
    ...(await Promise.all(
      canvases(app, document, present).map(
        async ([file, text]) => [file, await formatted(file, text)] as const,
      ),
    )),
  ]);
}

const WRITE = 'npm run document';

const jsonOf = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** The present text of a file; an absent one is empty. */
export const presentText = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '';

const formatted = async (file: string, text: string) =>
  format(text, { ...(await resolveConfig(file)), filepath: file });

/** The pages about the areas of the API. */
const areaPages = () => readdirSync('docs/modules').map((page) => `docs/modules/${page}`);

/**
 * The guide for clients, with the pages of all areas, the parameters and the scope of each operation, and every error code that an
 * operation may return.
 */
function apiGuide(document: OpenApiDocument): string {
  const pages = areaPages().map((page) => {
    const [, title] = /^# (.+)$/m.exec(presentText(page))!;
    return `- [${title}](${page.replace('docs/', '')})`;
  });
  let text = withPart(presentText('docs/api.md'), 'areas', [
    'These areas have their own pages:',
    '',
    ...pages,
  ]);
  text = withParameters('docs/api.md', text, document);
  text = withPart(text, 'scopes', scopesOf(document));
  return withPart(text, 'errors', errorsOf(document));
}

/** The operations whose parameters a page shows. */
const namesIn = (page: string) =>
  [...page.matchAll(/^<!-- parameters of (\w+): written by /gm)].map(([, name]) => name!);

/** A page with the query parameters of each operation that its comments name. @throws Error if an operation does not exist */
function withParameters(file: string, page: string, document: OpenApiDocument): string {
  const { operations } = contentsOf(document) as { operations: (object & { operationId: string })[] };
  return namesIn(page).reduce((text, name) => {
    const operation = operations.find(({ operationId }) => operationId === name);
    if (!operation)
      throw new Error(`${file}: no operation is called ${name}. Correct the name in both comments.`);
    return withPart(text, `parameters of ${name}`, parametersOf(operation));
  }, page);
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

function parametersOf(operation: object): string[] {
  const { others } = partsOf(operation as Parameters<typeof partsOf>[0]) as { others: readonly Parameter[] };
  const rows = others
    .filter(({ in: place }) => place === 'query')
    .map(({ name, description, schema }) => [
      `\`${name}\``,
      `${description} ${boundsOf({ ...schema, description } as Parameters<typeof boundsOf>[0])}`.trim(),
    ]);
  return tableOf(['Parameter', 'Meaning'], rows);
}

function scopesOf({ paths }: OpenApiDocument): string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as readonly {
    readonly operationId: string;
    readonly 'x-scope'?: string;
    readonly security?: readonly object[];
  }[];
  const requirementOf = ({ 'x-scope': scope, security }: (typeof operations)[number]) => {
    if (scope !== undefined) return `\`${scope}\``;
    return security?.length === 0
      ? 'none, and no key'
      : 'none, so only a key without restriction may call it';
  };
  const rows = [...new Set(operations.map(requirementOf))].map((requirement) => {
    const group = operations.filter((operation) => requirementOf(operation) === requirement);
    return [group.map(({ operationId }) => `\`${operationId}\``).join(', '), requirement];
  });
  return tableOf(['Operation', 'Scope'], rows);
}

function errorsOf({ 'x-error-codes': codes = {} }: OpenApiDocument): string[] {
  const rows = Object.entries(codes as Readonly<Record<string, ErrorEntry>>).map(
    ([code, { status, meaning, again = 'no' }]) => [status, `\`${code}\``, meaning, again],
  );
  return tableOf(['Status', '`code`', 'What happened', 'Retry?'], rows);
}

/** `.env.example`, with the variables of the platform, which are written by hand, and the variables of the modules below them. */
function envExampleOf(modules: readonly object[]): string {
  const heading = `# --- Keys, rates and other settings of modules (written by "${WRITE}") `;
  const [byHand] = presentText('.env.example').split(`\n${heading}`);
  const variables = settingsOfModules(modules).flatMap((settings) => Object.values(settings.variables));
  if (variables.length === 0) return byHand!;
  const lines = variables.map(([name, { desc = '', default: value = '' }]) => {
    if (!/^[A-Z].*\.$/.test(desc))
      throw new Error(`${name} has no "desc", a sentence that says what it means.`);
    return `\n# ${desc}\n# ${name}=${value}\n`;
  });
  return `${byHand}\n${heading.padEnd(120, '-')}\n${lines.join('')}`;
}

/** The lines of a table. Columns are not aligned, so that a longer cell changes only its own line. */
function tableOf(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const lines = [heads, heads.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['<!-- prettier-ignore -->', ...lines];
}

/** Replaces the lines between the two comments that enclose a part of a text. @throws Error if the comments are missing */
function withPart(text: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- ${name}: written by "${WRITE}" -->`, `<!-- /${name} -->`];
  const [before, rest] = text.split(begin);
  const [, after] = (rest ?? '').split(end);
  if (after === undefined) throw new Error(`The comments ${begin} and ${end} are missing.`);
  return `${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`;
}
