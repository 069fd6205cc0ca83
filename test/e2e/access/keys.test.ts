import { Controller, Get } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService, type IssuedKey } from '../../../src/access/index.js';
import { RequireScope } from '../../../src/platform/http/index.js';
import type { Answer } from '../../support/api-client.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** A controller with a scope of its own, as another team might add it. */
@Controller('shelters')
class SheltersController {
  @Get()
  @RequireScope('shelters:read')
  list() {
    return [];
  }
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe('keys, on two replicas over one database,', () => {
  let one: Service;
  let two: Service;
  let apiKeys: ApiKeyService;
  beforeAll(async () => {
    one = await startService(sqlite);
    two = await startService(sqlite, { beside: one });
    apiKeys = one.app.get(ApiKeyService);
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  const list = (service: Service, secret: string, headers = {}) =>
    service.stranger.get('/v1/pets', { headers: { Authorization: `Bearer ${secret}`, ...headers } });
  const statusOf = async (service: Service, secret: string) => (await list(service, secret)).status;
  const issue = (terms = {}) => apiKeys.issue({ name: 'shop window', ...terms }, 'test', 'tester');
  const idOf = ({ key }: IssuedKey) => key.id;

  it('are rejected everywhere within 5 s of being revoked', async () => {
    const issued = await issue();
    for (const replica of [one, two]) expect(await statusOf(replica, issued.secret)).toBe(200);
    await apiKeys.revoke(idOf(issued), 'tester');
    one.clock.advance(5 * SECOND);
    for (const replica of [one, two]) expect(await statusOf(replica, issued.secret)).toBe(401);
  });

  it('may do what their scopes allow, and nothing else', async () => {
    const reader = one.stranger.with({
      Authorization: `Bearer ${(await issue({ scopes: ['pets:read'] })).secret}`,
    });
    expect((await reader.get('/v1/pets')).status).toBe(200);
    expect((await reader.get('/v1/pets/404')).status).toBe(404);
    const refused = await reader.post('/v1/pets', '{');
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ code: 'insufficient_scope' });
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="petstore", error="insufficient_scope", scope="pets:write"',
    );
    const writer = one.stranger.with({
      Authorization: `Bearer ${(await issue({ scopes: ['pets:write'] })).secret}`,
    });
    expect((await writer.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
    expect((await writer.get('/v1/pets/1')).headers.get('deprecation')).not.toBeNull();
    expect((await writer.get('/v1/pets')).status).toBe(403);
  });

  it('protect the route of a new module, which needs one decorator', async () => {
    const shelters = { module: class Shelters {}, controllers: [SheltersController] };
    const extended = await startService(sqlite, { beside: one, samples: [shelters] });
    const issueThere = (scope: string) =>
      extended.app.get(ApiKeyService).issue({ name: 'keeper', scopes: [scope] }, 'test', 'tester');
    const [keeper, stranger] = [await issueThere('shelters:read'), await issueThere('pets:read')];
    const visit = async ({ secret }: IssuedKey) => {
      const answer = await fetch(`http://127.0.0.1:${extended.port}/v1/shelters`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      return answer.status;
    };
    expect([await visit(keeper), await visit(stranger), await visit(await issue())]).toEqual([200, 403, 200]);
    await extended.stop();
  });

  it('that do not work get the same response: unknown, malformed, mistyped, expired, revoked', async () => {
    const expired = await issue({ expiresAt: one.clock.now() + HOUR });
    const revoked = await issue();
    const unknown = await issue();
    await apiKeys.revoke(idOf(revoked), 'tester');
    one.clock.advance(HOUR);
    const elsewhere = await startService(sqlite);
    const answers: Answer[] = [await list(elsewhere, unknown.secret)];
    for (const secret of ['malformed', `${unknown.secret.slice(0, -1)}~`, expired.secret, revoked.secret]) {
      answers.push(await list(one, secret));
    }
    const told = answers.map(({ status, text, headers }) => {
      const told = Object.fromEntries(headers);
      delete told['date'];
      delete told['x-request-id'];
      return { status, text, headers: told };
    });
    expect(told[0]!.status).toBe(401);
    for (const other of told) expect(other).toEqual(told[0]);
    await elsewhere.stop();
  });
});
