import { formatRate } from '../../../kernel/rate.js';
import { tableOf as table } from '../../../platform/ops/cli/output.js';
import type { ApiKey, KeyEvent } from '../../domain/api-key.js';

/** A key as the command line shows it; never its secret, nor the hash of that. */
export interface KeyView {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly scopes: readonly string[] | 'all';
  readonly rate: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly rotatedAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export function viewOf(key: ApiKey, now: number): KeyView {
  const { id, name, scopes, rate, createdAt, expiresAt, rotatedAt, revokedAt, lastUsedAt } = key.props;
  return {
    id: Number(id),
    name,
    state: key.stateAt(now),
    scopes: scopes ?? 'all',
    rate: rate ? formatRate(rate) : null,
    createdAt: timeOf(createdAt)!,
    expiresAt: timeOf(expiresAt),
    rotatedAt: timeOf(rotatedAt),
    revokedAt: timeOf(revokedAt),
    lastUsedAt: timeOf(lastUsedAt),
  };
}

/** RFC 3339, in UTC. */
const timeOf = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());

const MINUTES = 16;
const short = (time: string | null) => time?.slice(0, MINUTES).replace('T', ' ') ?? '-';

/** The keys as a table; times in UTC, to the minute. */
export function tableOf(keys: KeyView[]): string {
  const head = ['ID', 'NAME', 'STATE', 'SCOPES', 'RATE', 'EXPIRES', 'LAST USED'];
  const rows = keys.map(({ id, name, state, scopes, rate, expiresAt, lastUsedAt }) => [
    String(id),
    name,
    state,
    scopes === 'all' ? 'all' : scopes.join(' '),
    rate ?? '-',
    short(expiresAt),
    short(lastUsedAt),
  ]);
  return table([head, ...rows]);
}

/** One key with everything that was done to it. */
export function pageOf(key: KeyView, events: KeyEvent[]): string {
  const props = Object.entries(key).map(([fact, value]) => [fact, [value ?? '-'].flat().join(' ')]);
  const history = events.map(({ act, actor, at }) => [timeOf(at)!, act, `by ${actor}`]);
  return `${table(props)}\n\n${table(history)}`;
}
