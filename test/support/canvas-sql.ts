import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'typeorm';
import { afterAll, expect, type RunnerTask } from 'vitest';

/** Statements of transactions and sequences, which are the same for every method. */
const COMMON = /^(?:BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b|\bsequences\b/;

/** The running method of an adapter. All contracts share it, because Node 20 visits every storage at each promise. */
const running = new AsyncLocalStorage<string>();

/**
 * Records which statements each method of a module's adapters sends while its contract runs, and compares them with the canvas of
 * the module (`docs/canvas`), so that a reviewer sees a changed query. `npm run canvas` writes the statements there. The
 * statements of a new adapter are written at once, and `.ci/run` fails if they are not committed. If several contracts test a
 * class, the canvas has the statements of all of them, and the next `npm run canvas` removes statements that none of them sends.
 */
export class CanvasSql {
  /** Statements by class and method, such as `TypeOrmOrderRepository.find`. */
  readonly #statements = new Map<string, Set<string>>();

  /** A logger for TypeORM that records the statements of a method under its name. */
  readonly logger: Logger = {
    logQuery: (text) => {
      const method = running.getStore();
      if (method !== undefined && !COMMON.test(text))
        for (const statement of partsOf(text)) this.#statements.get(method)!.add(statement);
    },
    logQueryError() {},
    logQuerySlow() {},
    logSchemaBuild() {},
    logMigration() {},
    log() {},
  };

  /** The same ports, whose methods are recorded as running during each call. */
  watched<Ports extends object>(ports: Ports): Ports {
    const entries = Object.entries(ports).map(([name, port]: [string, object]) => [name, this.#watch(port)]);
    return Object.fromEntries(entries) as Ports;
  }

  #watch(adapter: object): object {
    if (adapter.constructor === Object) return adapter;
    return new Proxy(adapter, {
      get: (_, property) => {
        const member = Reflect.get(adapter, property) as unknown;
        if (typeof member !== 'function') return member;
        const method = `${adapter.constructor.name}.${String(property)}`;
        if (!this.#statements.has(method)) this.#statements.set(method, new Set());
        return (...given: unknown[]) =>
          running.run(method, () => Reflect.apply(member, adapter, given) as unknown);
      },
    });
  }

  /** Checks, after a contract has run as a whole, that the canvas has these statements. */
  compareAtEnd(module: string, engine: string): void {
    // oxlint-disable-next-line no-empty-pattern -- Vitest wants a pattern
    afterAll(({}, suite) => {
      if (!suite.tasks.every(hasPassed)) return;
      const file = `docs/canvas/${module}.md`;
      for (const name of this.adaptersOf(module)) {
        const heading = `### ${name} on ${engine}\n`;
        const own = this.#statementsOf(name);
        const text = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '## SQL\n';
        const [, present] = text.split(heading);
        const old = `${file} does not have the SQL that ${name} sends. If the SQL is as you want it, run npm run canvas`;
        if (present === undefined || process.env['CANVAS'] === 'write')
          writeFileSync(file, withSection(text, heading, written(heading, own)));
        else if (present.startsWith(SEVERAL)) {
          const known = statementsIn(present.split('\n### ')[0]!);
          expect(
            own.filter((one) => !known.includes(one)),
            old,
          ).toEqual([]);
        } else expect(text, old).toContain(heading + sectionOf(own));
      }
    });
  }

  /**
   * The classes of a module among the adapters that were called. A contract may also use adapters of other modules, which have canvases of
   * their own.
   */
  adaptersOf(module: string): string[] {
    const called = new Set([...this.#statements.keys()].map((method) => method.split('.')[0]!));
    const source = readdirSync(`src/${module}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
    return [...called].filter((name) => new RegExp(`\\bclass ${name}\\b`).test(source));
  }

  #statementsOf(name: string): string[] {
    return [...this.#statements].flatMap(([method, statements]) =>
      method.startsWith(`${name}.`)
        ? [...statements].map((statement) => `${method.slice(name.length + 1)}\n${statement}`)
        : [],
    );
  }
}

/** The mark of a class that several contracts test. Each of them sends some of the statements. */
const SEVERAL = '\nOf several contracts.\n';

/** The statements that the contracts of this process have sent, by heading. `npm run canvas` runs all contracts in one process. */
const sent = new Map<string, string[][]>();

/** The section with these statements and the statements of earlier contracts of the same class. */
function written(heading: string, statements: string[]): string {
  const all = [...(sent.get(heading) ?? []), statements];
  sent.set(heading, all);
  return `${all.length > 1 ? SEVERAL : ''}${sectionOf([...new Set(all.flat())])}`;
}

function sectionOf(statements: readonly string[]): string {
  const blocks = new Map<string, string[]>();
  for (const one of statements) {
    const [method, statement] = one.split('\n') as [string, string];
    blocks.set(method, [...(blocks.get(method) ?? []), statement]);
  }
  const texts = [...blocks]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([method, lines]) => `-- ${method}\n${lines.toSorted().join('\n')}\n`);
  return `\n\`\`\`sql\n${texts.join('\n')}\`\`\`\n`;
}

const statementsIn = (section: string): string[] =>
  section.split(/^-- /m).flatMap((block) => {
    const [method, ...lines] = block.split('\n');
    return lines.map((line) => `${method}\n${line}`);
  });

const hasPassed = (task: RunnerTask): boolean =>
  task.type === 'suite' ? task.tasks.every(hasPassed) : task.result?.state === 'pass';

/** A statement without quotes, aliases, values and the number of values. Each part of a union is a separate statement. */
const partsOf = (text: string): string[] =>
  text.split(' UNION ALL ').map((part) =>
    part
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/["`]/g, '')
      .replaceAll(/\b(\w+)\.(\w+) AS \1_\2\b/g, '$1.$2')
      .replaceAll(/(?<![\w.])-?\d+(?![\w.])/g, '?')
      .replaceAll(/\?(?:, \?)+/g, '?, ...')
      .replaceAll('IN (?)', 'IN (?, ...)')
      .replaceAll(/(\([^()]*\))(?:, ?\1)+/g, '$1, ...')
      .replace(/^\((SELECT .*)\)$/, '$1')
      .trim(),
  );

function withSection(text: string, heading: string, section: string): string {
  const begin = text.indexOf(heading);
  if (begin === -1) return `${text.trimEnd()}\n\n${heading}${section}`;
  const next = text.indexOf('\n### ', begin);
  return `${text.slice(0, begin)}${heading}${section}${next === -1 ? '' : text.slice(next)}`;
}
