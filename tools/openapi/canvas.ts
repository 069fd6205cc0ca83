import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Outbox } from '../../src/platform/events/outbox.js';
import { Routes } from '../../src/platform/http/routes/routes.js';
import { addressesIn } from './addresses.js';
import type { OpenApiDocument } from './openapi-types.js';

/** The contracts of the adapters write what follows (test/support/canvas-sql.ts). */
const SQL = '## SQL\n';

/** A module: what it offers, needs and does, for teams that work on other modules. */
interface Area {
  readonly name: string;
  /** Each file under `src/<name>`, with `/` in its path, and its text. */
  readonly files: readonly (readonly [file: string, text: string])[];
}

/** The text of a file, with LF. */
type Present = (file: string) => string;

/** The canvas of each module, by file. `present` returns the text of a file, whose statements are kept. */
export function canvases(
  app: INestApplication,
  document: OpenApiDocument,
  present: Present,
): [string, string][] {
  const areas = readdirSync('src', { withFileTypes: true })
    .filter(({ name }) => !['kernel', 'platform', 'app.module.ts'].includes(name))
    .map((entry): Area => {
      const path = join('src', entry.name);
      const files = entry.isDirectory() ? filesOf(path, present) : [[entry.name, present(path)] as const];
      return { name: entry.name.replace(/\.module\.ts$/, ''), files };
    })
    .filter(({ files }) => files.some(([file]) => WIRING.test(file)));
  checkSubscribers(app, areas);
  return areas.map((area) => {
    const file = `docs/canvas/${area.name}.md`;
    const [, statements = ''] = present(file).split(SQL);
    const [, ...sections] = statements.split(/^(?=### )/m);
    const current = sections.filter((section) => owns(area, /^### (\w+)/.exec(section)![1]!));
    return [file, [`${canvasOf(app, document, area)}${SQL}`, ...current].join('\n')];
  });
}

/** The name of a wiring file. A folder without one is not a module. */
const WIRING = /^[^/]+\.module\.ts$/;

const filesOf = (folder: string, present: Present) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .map((file) => [file.replaceAll('\\', '/'), present(join(folder, file))] as const);

function canvasOf(app: INestApplication, document: OpenApiDocument, area: Area): string {
  const { name, files } = area;
  const wirings = files.filter(([file]) => WIRING.test(file));
  const [, wiring] = wirings.find(([file]) => file === `${name}.module.ts`) ?? wirings[0]!;
  const parts: [string, string[]][] = [
    ['Public API', offers(area)],
    ['Needs', needs(area)],
    ['Operations', operations(app, document, area)],
    ['Publishes', events(area)],
    [
      'Subscribes to',
      subscriptions(area).map(
        ({ type, subscriber, isOutbound }) =>
          `\`${type}\`, as \`${subscriber}\`${isOutbound ? ', outside of a transaction' : ''}`,
      ),
    ],
    ['Calls', calls(area)],
    ['Settings', found(area, /^ {2,4}'([A-Z][A-Z_]+)',$|: \['([A-Z][A-Z_]+)',/gm)],
    ['Errors', errors(area)],
    ['Tables', found(area, /\btableName: '(\w+)'/g)],
    ['Jobs', jobs(area)],
    ['Commands', found(area, /new Command\('([\w-]+)'\)/g)],
  ];
  const sections = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `## ${title}\n\n${lines.map((line) => `- ${line}\n`).join('')}\n`);
  const how =
    'Written by `npm run document`, and the statements by `npm run canvas`: without quotes, aliases and values.';
  return `# Canvas of \`${name}\`\n\n${sentenceOf(wiring, '\\w+Module')} ${how}\n\n${sections.join('')}`;
}

/** Whether a class is declared in the module. */
const owns = ({ files }: Area, name: string) => files.some(([, text]) => text.includes(`class ${name} `));

function offers({ files }: Area): string[] {
  const [, publicApi] = files.find(([file]) => file === 'index.ts') ?? ['', ''];
  return [...publicApi.matchAll(/export \{ ([^}]+?),? \} from '\.\/(.+)\.js'/g)].flatMap(
    ([, names, file]) => {
      const [, text] = files.find(([path]) => path === `${file}.ts`) ?? ['', ''];
      return names!.split(', ').map((one) => {
        const name = one.replace(/^type /, '');
        const sentence = sentenceOf(text, name);
        return `\`${name}\`${sentence && `: ${sentence}`}`;
      });
    },
  );
}

/** What a module imports from the public APIs of other modules, and which ports of the kernel are injected. */
function needs({ files }: Area): string[] {
  const imports = files.flatMap(([, text]) => [
    ...text.matchAll(/import (?:type )?\{([^}]+)\} from '(.+)'/g),
  ]);
  const of = (pattern: RegExp) => {
    const named = new Map<string, Set<string>>();
    for (const [, names, file] of imports) {
      const [, source] = pattern.exec(file!) ?? [];
      if (source === undefined) continue;
      const all = named.get(source) ?? new Set();
      for (const [name] of names!.matchAll(/\b(?!type )\w+/g)) all.add(name);
      named.set(source, all);
    }
    return named;
  };
  const modules = [...of(/^(?:\.\.\/)+((?!kernel\/)[\w-]+)\/index\.js$/)].map(
    ([module, names]) => `from \`${module}\`: ${listOf([...names])}`,
  );
  const ports = [...of(/\/(kernel)\/index\.js$/).values()]
    .flatMap((names) => [...names])
    .filter((name) => ['Clock', 'Events', 'RandomSource', 'Sequence', 'UnitOfWork'].includes(name));
  return [...modules.toSorted(), ...(ports.length > 0 ? [`from the kernel: ${listOf(ports)}`] : [])];
}

function operations(app: INestApplication, { paths }: OpenApiDocument, area: Area): string[] {
  return [...addressesIn(paths, app.get(Routes).all())]
    .filter(([{ controller }]) => owns(area, controller.name))
    .flatMap(([{ operation, scope }, addresses]) =>
      addresses.map(({ method, path }) => {
        const asks = scope ? `, scope \`${scope}\`` : '';
        return `\`${method.toUpperCase()} ${path}\`, \`${operation}\`${asks}`;
      }),
    );
}

function events({ files }: Area): string[] {
  return files.flatMap(([, text]) =>
    [...text.matchAll(/const (\w+) = new EventType</g)].map(
      ([, name]) => `\`${name}\`: ${sentenceOf(text, name!)}`,
    ),
  );
}

const subscriptions = ({ files }: Area) =>
  files.flatMap(([, text]) =>
    [...text.matchAll(/\.subscribe(Outbound)?\(\s*(\w+),\s*'([^']+)'/g)].map(
      ([, outbound, type, subscriber]) => ({
        type: type!,
        subscriber: subscriber!,
        isOutbound: outbound !== undefined,
      }),
    ),
  );

/** The classes that call other systems. */
const calls = ({ files }: Area): string[] =>
  files
    .filter(([file]) => file.startsWith('adapters/outbound/'))
    .flatMap(([, text]) =>
      [...text.matchAll(/^export class (\w+)/gm)].map(([, name]) => {
        const sentence = sentenceOf(text, name!);
        return `\`${name}\`${sentence && `: ${sentence}`}`;
      }),
    );

/** @throws Error for a subscription that is not found in the source */
function checkSubscribers(app: INestApplication, areas: readonly Area[]): void {
  const known = new Set(areas.flatMap(subscriptions).map(({ subscriber }) => subscriber));
  const unknown = app.get(Outbox).subscribers.filter((subscriber) => !known.has(subscriber));
  if (unknown.length > 0)
    throw new Error(`Write subscribe(Type, 'name', ...) with a literal: ${unknown.join(', ')}.`);
}

function errors({ files }: Area): string[] {
  return files.flatMap(([, text]) =>
    [...text.matchAll(/static readonly code = '(\w+)';(?:\s+static readonly meaning = '([^']+)';)?/g)].map(
      ([, code, meaning]) => `\`${code}\`${meaning ? `: ${meaning}` : ''}`,
    ),
  );
}

function jobs({ files }: Area): string[] {
  return files.flatMap(([, text]) =>
    [...text.matchAll(/@(Cron|Interval)\(\s*('[^']+'|\w+)[^)]*\)\s+(?:async )?(\w+)/g)].map(
      ([, kind, when, method]) => {
        const [, owner] = /class (\w+)/.exec(text)!;
        return `\`${owner}.${method}\`: ${kind === 'Cron' ? 'at' : 'each'} \`${when!.replaceAll("'", '')}\``;
      },
    ),
  );
}

const found = ({ files }: Area, pattern: RegExp): string[] =>
  files
    .flatMap(([, text]) => [...text.matchAll(pattern)])
    .map((match) => `\`${match.slice(1).find((name) => name !== undefined)}\``);

const listOf = (names: readonly string[]) =>
  [...new Set(names)]
    .toSorted()
    .map((name) => `\`${name}\``)
    .join(', ');

/** The first sentence of the comment on a declaration. Only decorators may stand between the two. */
function sentenceOf(text: string, name: string): string {
  const { index } = new RegExp(`(?:class|const|interface|type|enum|function) ${name}\\b`).exec(text) ?? {};
  if (index === undefined) return '';
  const [above] = text.slice(0, index).split('\n\n').slice(-1);
  const [, comment = ''] = /\/\*\*([^]*?)\*\//.exec(above!) ?? [];
  const [, meaning] = /^[^{]+\{[^}]*?static readonly meaning = '([^']+)'/.exec(text.slice(index)) ?? [];
  if (meaning !== undefined) return meaning;
  const prose = comment.replaceAll(/\n \*/g, ' ').replaceAll(/\s+/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(prose)?.[0] ?? prose;
}
