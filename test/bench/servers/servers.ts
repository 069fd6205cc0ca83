import { join } from 'node:path';
import type { BenchKey } from './database.js';
import { PLACES } from '../command/places.js';

export const ENGINES = ['mariadb', 'sqlite'] as const;
export type Engine = (typeof ENGINES)[number];

/** A server of the catalogue API; what the peers leave out says README.md. */
export interface Contender {
  readonly title: string;
  readonly script: string;
  /** How to request the next page: by the service's opaque cursor, or after an id that the client names. */
  readonly paging: 'cursor' | 'before';
  /** Absent: runs on both engines. */
  readonly onlyOn?: Engine;
}

const peer = (title: string, script: string, onlyOn?: Engine): Contender => ({
  title,
  script: join(PLACES.peers, script),
  paging: 'before',
  ...(onlyOn && { onlyOn }),
});

export const CONTENDERS = {
  service: { title: 'Pet Store', script: PLACES.main, paging: 'cursor' } as Contender,
  'node-http': peer('node:http', 'node-http.js'),
  fastify: peer('Fastify 5', 'fastify.js'),
  'nest-fastify': peer('NestJS 12 on Fastify', 'nest-fastify.js'),
  nest: peer('NestJS 12 + TypeORM', 'nest/main.js', 'mariadb'),
};

export type ServerName = keyof typeof CONTENDERS;
export const SERVER_NAMES = Object.keys(CONTENDERS) as ServerName[];

export const canServe = (name: ServerName, engine: Engine): boolean =>
  (CONTENDERS[name].onlyOn ?? engine) === engine;

/** Environment of a server: a production configuration for the service with the settings `env`, the minimum for a peer. */
export const environmentOf = (
  server: ServerName,
  url: string,
  key: BenchKey,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> =>
  server === 'service'
    ? { DATABASE_URL: url, LOG_LEVEL: 'warn', ...env }
    : { DATABASE_URL: url, API_KEY_SHA256: key.sha256 };
