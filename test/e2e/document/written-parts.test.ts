import { readdirSync, readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { settingsOfModules } from '../../../src/platform/config/module-settings.js';
import { errorCatalogue, isModuleCode } from '../../../src/platform/http/errors/error-codes.js';
import { sqlite } from '../../support/engines.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { type Service, startService } from '../../support/service.js';

const WRITE = 'npm run document';

/** Replaces the lines between the two comments that enclose a part of a text. */
function withPart(text: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- ${name}: written by "${WRITE}" -->`, `<!-- /${name} -->`];
  expect(text).toContain(begin);
  expect(text).toContain(end);
  const [before, after] = [text.split(begin)[0], text.split(end)[1]];
  return `${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`;
}

/** Compares a document with its expected text; with `-u` it is overwritten with that. */
async function expectDocument(file: string, text: string) {
  const formatted = await format(text, { ...(await resolveConfig(file)), filepath: file });
  await expect(formatted, `Bring ${file} up to date: ${WRITE}`).toMatchFileSnapshot(`../../../${file}`);
}

const read = (file: string) => readFileSync(file, 'utf8');

interface Operation {
  readonly operationId: string;
  readonly 'x-scope'?: string;
}

describe('docs/api.md', () => {
  let service: Service;
  let operations: Operation[];
  beforeAll(async () => {
    service = await startService(sqlite);
    const { json } = await service.stranger.get('/openapi.json');
    const { paths } = resolvedDocument(
      json as unknown as { paths: Record<string, Record<string, Operation>> },
    );
    operations = Object.values(paths).flatMap((path) => Object.values(path));
  });
  afterAll(() => service.stop());

  it('has the pages of all areas, the scope of each operation, and every error code that one may answer with', async () => {
    const pages = readdirSync('docs/modules').map((page) => {
      const [, title] = /^# (.+)$/m.exec(read(`docs/modules/${page}`))!;
      return `- [${title}](modules/${page})`;
    });
    const scopes = new Set(operations.map((operation) => operation['x-scope']));
    const operationsOf = [...scopes].map((scope) => {
      const names = operations.filter((operation) => operation['x-scope'] === scope);
      const listed = names.map(({ operationId }) => `\`${operationId}\``).join(', ');
      return `| ${listed} | ${scope ? `\`${scope}\`` : '-'} |`;
    });
    const answered = JSON.stringify(operations);
    const errors = [...errorCatalogue]
      .filter(([code]) => !isModuleCode(code) || answered.includes(`"${code}"`))
      // The order of modules is not fixed: within a status their codes come alphabetically, after those of the platform.
      .toSorted(([code, one], [otherCode, other]) => {
        const [ofModule, ofOther] = [code, otherCode].map((each) => Number(isModuleCode(each)));
        const byName = ofModule && ofOther ? code.localeCompare(otherCode, 'en') : 0;
        return one.status - other.status || ofModule! - ofOther! || byName;
      })
      .map(
        ([code, { status, meaning, remedy, again = 'no' }]) =>
          `| ${status} | \`${code}\` | ${meaning} | ${remedy} | ${again} |`,
      );
    let text = withPart(read('docs/api.md'), 'areas', [
      'Each further area has a page of its own:',
      '',
      ...pages,
    ]);
    text = withPart(text, 'scopes', ['| Operation | Scope |', '| - | - |', ...operationsOf]);
    const head = ['| Status | `code` | What happened | What to do | Again? |', '| - | - | - | - | - |'];
    await expectDocument('docs/api.md', withPart(text, 'errors', [...head, ...errors]));
  });
});

/** `.env.example`: the variables of the platform, written by hand, and below them those of the modules. */
function envExample(): string {
  const heading = `# --- Modules (written by "${WRITE}") `;
  const [byHand] = read('.env.example').split(`\n${heading}`);
  const variables = settingsOfModules(MODULES).flatMap((settings) => Object.values(settings.variables));
  if (variables.length === 0) return byHand!;
  const lines = variables.map(([name, kind]) => {
    expect(kind.desc, `what ${name} means, in a sentence`).toMatch(/^[A-Z].*\.$/);
    return `\n# ${kind.desc}\n# ${name}=${kind.default ?? ''}\n`;
  });
  return `${byHand}\n${heading.padEnd(120, '-')}\n${lines.join('')}`;
}

describe('the settings', () => {
  it('of modules stand at the end of .env.example', () =>
    expect(envExample(), `Bring .env.example up to date: ${WRITE}`).toMatchFileSnapshot(
      '../../../.env.example',
    ));

  it('are a table in docs/operations.md', async () => {
    const entries = [...envExample().matchAll(/^# ([A-Z].+)\n# ([A-Z_]+)=(.*)$/gm)];
    const rows = entries.map(
      ([, meaning, name, value]) => `| \`${name}\` | ${value ? `\`${value}\`` : '-'} | ${meaning} |`,
    );
    const table = ['| Variable | Default | Meaning |', '| - | - | - |', ...rows];
    await expectDocument('docs/operations.md', withPart(read('docs/operations.md'), 'settings', table));
  });
});
