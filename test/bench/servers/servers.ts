import { join } from 'node:path';
import type { BenchKey } from './database.js';
import { PLACES } from '../command/places.js';

export const ENGINES = ['mariadb', 'sqlite'] as const;
export type Engine = (typeof ENGINES)[number];

/** A server of the catalogue API, and the features of the service that it lacks. */
export interface Contender {
  readonly title: string;
  readonly script: string;
  /** How to request the next page: by the service's opaque cursor, or after an id that the client names. */
  readonly paging: 'cursor' | 'before';
  /** Absent: runs on both engines. */
  readonly onlyOn?: Engine;
  readonly less: readonly string[];
  /** Further information needed to read the figures. */
  readonly remark?: string;
}

/** Applies to every peer. */
const PEERS_LEAVE_OUT = [
  'keys are known from the start: none is issued, revoked, limited in scope or rate, or has its last use written down',
  'ids of new animals are counted in memory, which is right for one process only',
  'a list fetches just what it returns, and has no Link header',
  'no entity tags, deprecation notices, idempotency keys, request ids, events or error catalogue',
  'integers in bodies are exact up to 2^53',
];
/** Express generates entity tags by itself, like the service. */
const LESS_ON_EXPRESS = PEERS_LEAVE_OUT.map((text) => text.replace('no entity tags, ', 'no '));

export const CONTENDERS = {
  service: { title: 'Pet Store', script: PLACES.main, paging: 'cursor', less: [] },
  'node-http': {
    title: 'node:http',
    script: join(PLACES.peers, 'node-http.js'),
    paging: 'before',
    less: PEERS_LEAVE_OUT,
  },
  fastify: {
    title: 'Fastify 5',
    script: join(PLACES.peers, 'fastify.js'),
    paging: 'before',
    less: PEERS_LEAVE_OUT,
  },
  express: {
    title: 'Express 5',
    script: join(PLACES.peers, 'express.js'),
    paging: 'before',
    less: LESS_ON_EXPRESS,
  },
  'nest-fastify': {
    title: 'NestJS 12 on Fastify',
    script: join(PLACES.peers, 'nest-fastify.js'),
    paging: 'before',
    less: PEERS_LEAVE_OUT,
  },
  nest: {
    title: 'NestJS 12 + TypeORM',
    script: join(PLACES.peers, 'nest/main.js'),
    paging: 'before',
    onlyOn: 'mariadb',
    less: [...LESS_ON_EXPRESS, 'answers write integers beyond 2^53 as strings'],
    remark:
      "TypeORM's find() gives MariaDB no index hint, so deep pages of one status cost more than near ones",
  },
} as const satisfies Record<string, Contender>;

export type ServerName = keyof typeof CONTENDERS;
export const SERVER_NAMES = Object.keys(CONTENDERS) as ServerName[];

export function canServe(name: ServerName, engine: Engine): boolean {
  const { onlyOn = engine }: Contender = CONTENDERS[name];
  return onlyOn === engine;
}

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
