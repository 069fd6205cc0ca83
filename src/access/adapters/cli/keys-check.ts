import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Check, type CheckResult, ok, problem, warning } from '../../../platform/doctor/check.js';
import { ApiKeyService } from '../../application/api-key-service.js';

/** A key that ends sooner is worth a warning. */
const WARNING_MS = 14 * 86_400_000;

/** Whether there is an active key, and for how long. */
@Injectable()
export class KeysCheck extends Check {
  readonly name = 'keys';
  readonly needs = 'tables';

  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async look(): Promise<CheckResult[]> {
    const now = this.clock.now();
    const keys = await this.apiKeys.list();
    const good = keys.filter((key) => key.stateAt(now) === 'active');
    const issue = 'petstore keys issue --name NAME';
    if (keys.length === 0) return [problem('There is no key, so nobody can use the service.', issue)];
    if (good.length === 0) return [problem('Every key has expired or is revoked.', issue)];

    const ending = good.filter(
      ({ props }) => props.expiresAt !== undefined && props.expiresAt - now < WARNING_MS,
    );
    if (ending.length === 0) return [ok(`${good.length} ${good.length === 1 ? 'key is' : 'keys are'} good.`)];
    return ending.map(({ props: { id, name, expiresAt, rotatedAt } }) => {
      const what = `Key ${id} (${name}) ends on ${new Date(expiresAt!).toISOString()}.`;
      // What was rotated is meant to end; the question is whether its client has changed over.
      return rotatedAt === undefined
        ? warning(what, `Issue another one for its client: ${issue}`)
        : warning(`${what} It was rotated.`, `See that nobody uses it any more: petstore keys show ${id}`);
    });
  }
}
