import { DataSource } from 'typeorm';
import { ApiKeyService } from '../../src/access/index.js';
import type { Answer } from '../support/api-client.js';
import type { Engine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { untilServed } from '../support/until-served.js';
import type { Key } from './shop-model.js';

interface Sent {
  readonly replica: number;
  readonly key: Key;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object | undefined;
}

/** Two replicas that share a database and a clock. */
export class Shop {
  private constructor(
    readonly replicas: readonly [Service, Service],
    readonly firstKey: Key,
  ) {}

  static async open(engine: Engine): Promise<Shop> {
    const one = await startService(engine);
    const replicas = [one, await startService(engine, { beside: one })] as const;
    return new Shop(replicas, { name: 'first start', secret: one.secret });
  }

  async close(): Promise<void> {
    for (const replica of this.replicas.toReversed()) await replica.stop();
  }

  get clock() {
    return this.replicas[0].clock;
  }

  keysOf(replica: number): ApiKeyService {
    return this.replicas[replica]!.app.get(ApiKeyService, { strict: false });
  }

  /** Deletes everything except the first key. Replicas keep the ids that they have reserved. */
  async empty(): Promise<void> {
    const source = this.replicas[0].app.get(DataSource);
    for (const table of ['orders', 'pets', 'stored_answers', 'outbox', 'api_key_events'])
      await source.query(`DELETE FROM ${table}`);
    await source.query('DELETE FROM api_keys WHERE name <> ?', [this.firstKey.name]);
  }

  /** Sends a request. It is sent again while a busy database makes a replica return 503, because then nothing was executed. */
  send(method: string, target: string, { replica, key, headers = {}, body }: Sent): Promise<Answer> {
    const given = Object.entries({
      Authorization: `Bearer ${key.secret}`,
      'Content-Type': body && 'application/json',
      ...headers,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return untilServed(() =>
      this.replicas[replica]!.stranger.send(method, target, {
        headers: Object.fromEntries(given),
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  }
}
