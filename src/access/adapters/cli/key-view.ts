import { formatRate } from '../../../kernel/index.js';
import { tableOf } from '../../../platform/ops/index.js';
import type { ApiKey, KeyEvent } from '../../domain/api-key.js';

/** A key as the command line shows it, without its secret and the hash of the secret. Times are RFC 3339, in UTC. */
export type KeyView = ReturnType<typeof viewOfKey>;

export function viewOfKey(key: ApiKey, now: number) {
  const { id, name, scopes, rate, createdAt, expiresAt, rotatedAt, revokedAt, lastUsedAt } = key;
  return {
    id: Number(id),
    name,
    state: key.stateAt(now),
    scopes: scopes ?? 'all',
    rate: rate ? formatRate(rate) : null,
    createdAt: timeOf(createdAt),
    expiresAt: timeOf(expiresAt),
    rotatedAt: timeOf(rotatedAt),
    revokedAt: timeOf(revokedAt),
    lastUsedAt: timeOf(lastUsedAt),
  };
}

const timeOf = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());

const toTheMinute = (time: string | null) =>
  time?.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ') ?? '-';

/** The keys as a table. */
export function tableOfKeys(keys: KeyView[]): string {
  const head = ['ID', 'NAME', 'STATE', 'SCOPES', 'RATE', 'EXPIRES', 'LAST USED'];
  const rows = keys.map(({ id, name, state, scopes, rate, expiresAt, lastUsedAt }) => [
    String(id),
    name,
    state,
    [scopes].flat().join(' '),
    rate ?? '-',
    toTheMinute(expiresAt),
    toTheMinute(lastUsedAt),
  ]);
  return tableOf([head, ...rows]);
}

/** One key with its history. */
export function pageOfKey(key: KeyView, events: KeyEvent[]): string {
  const lines = Object.entries(key).map(([property, value]) => [property, [value ?? '-'].flat().join(' ')]);
  const history = events.map(({ act, actor, at }) => [timeOf(at)!, act, `by ${actor}`]);
  return `${tableOf(lines)}\n\n${tableOf(history)}`;
}
