import { readFileSync } from 'node:fs';
import express from 'express';
import { cleanEnv, makeExactValidator, makeValidator, str, bool } from 'envalid';
import { parseRate, type Rate, RATE_FORM } from '../../kernel/rate.js';
import { parseDatabaseUrl } from './database-url.js';
import { type DeprecatedOperations, type LogLevel, Settings } from './settings.js';

/** The configuration cannot be used. The message has a line for each mistake, by variable name. */
export class BadConfiguration extends Error {}

const database = makeExactValidator(parseDatabaseUrl);

const wholeNumber = (from: number, to: number) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to) {
      throw new Error(`must be a whole number from ${from} to ${to}`);
    }
    return value;
  });

const baseUrl = makeExactValidator<string>((text) => {
  const { href } = URL.canParse(text) ? new URL(text) : { href: '' };
  if (!/^https?:\/\/[^?#@]+\/v1$/.test(href)) {
    throw new Error('must be an http or https URL, without user or query, that ends in /v1');
  }
  return href;
});

/** RFC 6750 section 2.1: the characters a bearer token may have. */
function checkApiKey(text: string): string {
  if (!/^[A-Za-z0-9._~+/-]{32,}=*$/.test(text)) {
    throw new Error(
      'must have 32 or more characters, of the letters, digits and -._~+/ that a bearer token may have',
    );
  }
  return text;
}
const apiKey = makeExactValidator(checkApiKey);
const apiKeyFile = makeExactValidator<string>((path) => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return checkApiKey(text);
});

const rate = makeExactValidator<Rate>((text) => {
  const parsed = parseRate(text);
  if (!parsed) throw new Error(`must be ${RATE_FORM}`);
  return parsed;
});

const redisUrl = makeExactValidator<string>((text) => {
  if (!/^rediss?:\/\/./.test(text) || !URL.canParse(text))
    throw new Error('must look like redis://127.0.0.1:6379');
  return text;
});

const trustProxy = makeExactValidator<boolean | number | string>((text) => {
  const value = text === 'false' ? false : /^\d{1,2}$/.test(text) ? Number(text) : text;
  try {
    express().set('trust proxy', value);
  } catch {
    throw new Error('must be false, a number of proxies, or addresses such as loopback, 10.0.0.0/8');
  }
  return value;
});

/** Bodies are read into memory and parsed as a whole. */
const LARGEST_BODY = 8 * 1024 * 1024;
const UNITS: Record<string, number> = { '': 1, b: 1, kb: 1024, mb: 1024 * 1024 };
const byteSize = makeExactValidator<number>((text) => {
  const [, digits, unit] = /^(\d{1,9})\s*(b|kb|mb)?$/i.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit?.toLowerCase() ?? ''] ?? Number.NaN);
  if (!(bytes > 0 && bytes <= LARGEST_BODY)) {
    throw new Error('must be a size up to 8mb, such as 100kb, 1mb or a number of bytes');
  }
  return bytes;
});

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];
const DEPRECATED_OPERATIONS: readonly DeprecatedOperations[] = ['auto', 'serve', 'gone'];

/** Every variable that the service reads. */
const VARIABLES = {
  NODE_ENV: str({ default: 'development' }),
  HOST: str({ default: '127.0.0.1' }),
  PORT: wholeNumber(0, 65_535)({ default: 3000 }),
  DATABASE_URL: database({ default: parseDatabaseUrl('sqlite:./data/petstore.db') }),
  DB_POOL_SIZE: wholeNumber(1, 1_000)({ default: 10 }),
  MIGRATE_ON_START: bool({ default: undefined }),
  BASE_URL: baseUrl({ default: undefined }),
  STAGING_URL: baseUrl({ default: undefined }),
  BOOTSTRAP_API_KEY: apiKey({ default: undefined }),
  BOOTSTRAP_API_KEY_FILE: apiKeyFile({ default: undefined }),
  RATE_LIMIT: rate({ default: undefined }),
  REDIS_URL: redisUrl({ default: undefined }),
  TRUST_PROXY: trustProxy({ default: false }),
  LOG_LEVEL: str<LogLevel>({ choices: LOG_LEVELS, default: 'info' }),
  BODY_LIMIT: byteSize({ default: 100 * 1024 }),
  DEPRECATED_OPERATIONS: str<DeprecatedOperations>({ choices: DEPRECATED_OPERATIONS, default: 'auto' }),
};
export const VARIABLE_NAMES = Object.keys(VARIABLES);

/** Reads the environment as a whole. @throws BadConfiguration naming every mistake at once */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  // An empty variable is one that somebody left out, as in `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const mistakes: string[] = [];
  const env = cleanEnv(given, VARIABLES, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) mistakes.push(`${name}: ${error.message}`);
    },
  });
  if (given['BOOTSTRAP_API_KEY'] && given['BOOTSTRAP_API_KEY_FILE']) {
    mistakes.push('BOOTSTRAP_API_KEY: is also set by BOOTSTRAP_API_KEY_FILE; keep one of the two');
  }
  if (mistakes.length > 0) throw new BadConfiguration(mistakes.join('\n'));

  return new Settings({
    production: env.NODE_ENV === 'production',
    host: env.HOST,
    port: env.PORT,
    database: env.DATABASE_URL,
    databasePoolSize: env.DB_POOL_SIZE,
    migrateOnStart: env.MIGRATE_ON_START ?? env.DATABASE_URL.engine === 'sqlite',
    baseUrl: env.BASE_URL,
    stagingUrl: env.STAGING_URL,
    bootstrapApiKey: env.BOOTSTRAP_API_KEY ?? env.BOOTSTRAP_API_KEY_FILE,
    rateLimit: env.RATE_LIMIT,
    redisUrl: env.REDIS_URL,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    bodyLimit: env.BODY_LIMIT,
    deprecatedOperations: env.DEPRECATED_OPERATIONS,
  });
}
