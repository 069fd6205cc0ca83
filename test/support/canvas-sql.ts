import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Logger } from 'typeorm';
import { afterAll, expect, type RunnerTask } from 'vitest';

/** What belongs to a transaction or to a sequence, and is the same for every method. */
const COMMON = /^(?:BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b|\bsequences\b/;

/** The method of an adapter that runs. One for all contracts: Node 20 visits, at each promise, every storage of the process. */
const running = new AsyncLocalStorage<string>();

/**
 * Records which statements each method of a module's adapters sends while its contract runs, and compares them with the canvas of
 * the module (`docs/canvas`), so that a reviewer sees a changed query. `npm run canvas` writes them there; those of a new adapter are
 * written at once, and `.ci/run` fails if they are not committed.
 */
export class CanvasSql {
  /** Statements by class and method, such as `TypeOrmOrderRepository.find`. */
  readonly #statements = new Map<string, Set<string>>();

  /** For TypeORM: the statements that a method sends are recorded under its name. */
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

  /** The same ports; each call of an adapter's method is known while it runs. */
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

  /** After a contract that has run as a whole: the canvas has these statements. */
  compareAtEnd(module: string, engine: string): void {
    // oxlint-disable-next-line no-empty-pattern -- Vitest wants a pattern
    afterAll(({}, suite) => {
      if (!suite.tasks.every(hasPassed)) return;
      const file = `docs/canvas/${module}.md`;
      for (const name of new Set([...this.#statements.keys()].map((method) => method.split('.')[0]!))) {
        const section = this.#sectionOf(name, engine);
        const text = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '## SQL\n';
        const isNew = !text.includes(section.split('\n', 1)[0]!);
        if (isNew || process.env['CANVAS'] === 'write') writeFileSync(file, withSection(text, section));
        else expect(text, `${file} is old: npm run canvas`).toContain(section);
      }
    });
  }

  #sectionOf(name: string, engine: string): string {
    const methods = [...this.#statements].filter(
      ([method, { size }]) => method.startsWith(`${name}.`) && size > 0,
    );
    const blocks = methods
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(
        ([method, statements]) =>
          `-- ${method.slice(name.length + 1)}\n${[...statements].toSorted().join('\n')}\n`,
      );
    return `### ${name} on ${engine}\n\n\`\`\`sql\n${blocks.join('\n')}\`\`\`\n`;
  }
}

const hasPassed = (task: RunnerTask): boolean =>
  task.type === 'suite' ? task.tasks.every(hasPassed) : task.result?.state === 'pass';

/** A statement without quotes, aliases of columns, values and how many of these there are; each part of a union by itself. */
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

/** The text with a section in place of its older form, or at its end. */
function withSection(text: string, section: string): string {
  const [heading] = section.split('\n', 1);
  const begin = text.indexOf(`${heading}\n`);
  if (begin === -1) return `${text.trimEnd()}\n\n${section}`;
  const next = text.indexOf('\n### ', begin);
  return `${text.slice(0, begin)}${section}${next === -1 ? '' : text.slice(next)}`;
}
