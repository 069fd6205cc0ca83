import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Metrics } from '../../../platform/observability/metrics/metrics.js';
import { Check, type CheckResult, ok, problem, warning } from '../../../platform/doctor/check.js';
import type { ApiKey } from '../../domain/api-key.js';
import { ApiKeyService } from '../../application/api-key-service.js';

/** How long before its end a key causes a warning. */
const WARNING_MS = 14 * 86_400_000;

const isEnding = ({ props: { expiresAt } }: ApiKey, now: number) =>
  expiresAt !== undefined && expiresAt - now < WARNING_MS;

/** One result, however many keys end: names the first of them, and their number. */
function ends(keys: readonly ApiKey[], more: string, remedy: string): CheckResult[] {
  const [first, ...others] = keys.toSorted((a, b) => a.props.expiresAt! - b.props.expiresAt!);
  if (!first) return [];
  const { id, name, expiresAt } = first.props;
  const what = `Key ${id} (${name}) ends on ${new Date(expiresAt!).toISOString()}.${more}`;
  const rest = others.length === 0 ? '' : ` ${others.length} more end within 14 days: petstore keys list.`;
  return [warning(what + rest, remedy)];
}

/** Whether there is an active key, and for how long. */
@Injectable()
export class KeysCheck extends Check {
  readonly name = 'keys';
  readonly needs = 'tables';

  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super();
    metrics.queriedGauge(
      'petstore_keys_ending',
      'Valid keys that expire within 14 days and were not rotated.',
      async (gauge) => {
        const now = this.clock.now();
        const keys = await this.apiKeys.list();
        const ending = keys.filter((key) => key.stateAt(now) === 'active' && isEnding(key, now));
        gauge.set(ending.filter(({ props }) => props.rotatedAt === undefined).length);
      },
      { aggregator: 'max' },
    );
  }

  override async run(): Promise<CheckResult[]> {
    const now = this.clock.now();
    const keys = await this.apiKeys.list();
    const good = keys.filter((key) => key.stateAt(now) === 'active');
    const issue = 'petstore keys issue --name NAME';
    if (keys.length === 0) return [problem('There is no key, so nobody can use the service.', issue)];
    if (good.length === 0) return [problem('Every key has expired or is revoked.', issue)];

    const ending = good.filter((key) => isEnding(key, now));
    if (ending.length === 0)
      return [ok(`${good.length} ${good.length === 1 ? 'key is' : 'keys are'} valid.`)];
    // A rotated key is meant to end; what matters is whether its client already uses the new one.
    const rotated = ending.filter(({ props }) => props.rotatedAt !== undefined);
    const others = ending.filter(({ props }) => props.rotatedAt === undefined);
    return [
      ...ends(others, '', `Issue another one for its client: ${issue}`),
      ...ends(rotated, ' It was rotated.', 'See that nobody uses it any more: petstore keys show ID'),
    ];
  }
}
