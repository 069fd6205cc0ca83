import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { readSettings, type Settings } from '../../../src/platform/config/settings.js';

interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly build?: string;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
}

const text = readFileSync(resolve(import.meta.dirname, '../../../compose.yaml'), 'utf8');

/** The file compose.yaml, with its YAML merge keys resolved. */
export const compose = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};

export const REPLICAS = ['petstore-1', 'petstore-2'];

/** A service's environment, with a password, and unset variables empty. */
function environmentOf(service: string): Record<string, string> {
  const entries = Object.entries(compose.services[service]!.environment!);
  const fill = (value: string) =>
    value.replace(/\$\{DATABASE_PASSWORD:\?[^}]*\}/, 'a-password').replace(/\$\{\w+:-\}/, '');
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value)]));
}

/** The settings that the service reads from its environment. @throws BadConfiguration */
export const settingsOf = (service: string): Settings => readSettings(environmentOf(service));
