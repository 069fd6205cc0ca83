import { formatRate } from '../../../kernel/index.js';
import { tableOf as table } from '../../../platform/ops/index.js';
import type { ApiKey, KeyEvent } from '../../domain/api-key.js';

/** A key as the command line shows it, without its secret and the hash of the secret. Times are RFC 3339, in UTC. */
export type KeyView = ReturnType<typeof viewOf>;

export function viewOf(key: ApiKey, now: number) {
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
export function tableOf(keys: KeyView[]): string {
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
  return table([head, ...rows]);
}

/** One key, with everything that was done to it. */
export function pageOf(key: KeyView, events: KeyEvent[]): string {
  const props = Object.entries(key).map(([fact, value]) => [fact, [value ?? '-'].flat().join(' ')]);
  const history = events.map(({ act, actor, at }) => [timeOf(at)!, act, `by ${actor}`]);
  return `${table(props)}\n\n${table(history)}`;
}
