import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, it } from 'vitest';
import { VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { compose, REPLICAS, settingsOf } from '../support/compose-file.js';

const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');

/** Of what dclint reports; its own types cannot be resolved by Node's rules. */
interface LintResult {
  readonly messages: readonly { readonly rule: string; readonly message: string }[];
}

/** Holds a Compose file against the schema of the Compose specification, which dclint brings. @returns what is wrong */
function mistakesIn(content: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-compose-'));
  try {
    writeFileSync(join(folder, 'compose.yaml'), content);
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    const results = linter.lintFiles([join(folder, 'compose.yaml')], false) as LintResult[];
    return results
      .flatMap(({ messages }) => messages)
      .filter(({ rule }) => rule.startsWith('invalid-'))
      .map(({ message }) => message);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('compose.yaml', () => {
  it('is what the Compose specification allows', () => {
    expect(mistakesIn(text)).toEqual([]);
  });

  it('would be refused with a misspelt word', () => {
    expect(mistakesIn(text.replace('stop_grace_period', 'stop_grace_time'))).not.toEqual([]);
  });

  it('gives the service settings that it takes', () => {
    for (const replica of [...REPLICAS, 'migration']) {
      const { environment } = compose.services[replica]!;
      expect(Object.keys(environment!).filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
      expect(settingsOf(replica).production).toBe(true);
    }
  });

  it('keeps no secret', () => {
    expect(compose.services['database']!.environment!['MARIADB_PASSWORD']).toMatch(
      /^\$\{DATABASE_PASSWORD:\?/,
    );
    for (const replica of [...REPLICAS, 'migration']) {
      expect(compose.services[replica]!.environment!['DATABASE_URL']).toContain(':${DATABASE_PASSWORD:?');
    }
    expect(text).not.toMatch(/psk_|BOOTSTRAP_API_KEY/);
  });

  it('leaves each replica the time to stop', () => {
    for (const replica of REPLICAS) {
      const grace = Number.parseInt(compose.services[replica]!.stop_grace_period!);
      expect(grace * 1000).toBeGreaterThanOrEqual(settingsOf(replica).drainDelay + 10_000);
    }
  });
});
