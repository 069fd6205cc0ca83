import { Injectable, Module } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Public } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

type Call = (...args: unknown[]) => Promise<unknown>;

/** Creates handlers like @nestjs/graphql and consumers of messages, which are not installed. */
@Injectable()
class Caller {
  constructor(private readonly contexts: ExternalContextCreator) {}

  make(type: string, name: 'refused' | 'count'): Call {
    const args = [undefined, undefined, undefined, undefined, undefined, type] as const;
    return this.contexts.create(this, this[name], name, ...args) as Call;
  }

  refused() {}

  @Public()
  count(...values: unknown[]) {
    return values.length;
  }
}

@Module({ providers: [Caller] })
class CallingModule {}

describe('a handler that is called without an HTTP request', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { modules: [CallingModule] });
  });
  afterAll(() => service.stop());

  it.each(['graphql', 'ws', 'rpc', 'rmq'])('throws an error, because no key is checked: %s', async (type) => {
    const call = service.app.get(Caller, { strict: false }).make(type, 'refused');
    const says = 'No HTTP request calls Caller.refused, so that it has no API key: put @Public() on it';
    await expect(call(1, 2)).rejects.toThrow(says);
  });

  it.each(['graphql', 'ws', 'rpc', 'rmq'])('is called if it is public: %s', async (type) => {
    const call = service.app.get(Caller, { strict: false }).make(type, 'count');
    expect(await call(1, 2)).toBe(2);
  });
});

/** A class as `@WebSocketGateway()` or `@Resolver()` leaves it. */
function moduleWith(note: string, isPublic = false) {
  class Chat {}
  Reflect.defineMetadata(note, true, Chat);
  if (isPublic) Public()(Chat);
  class QuietChat extends Chat {}
  return { module: class Chats {}, providers: isPublic ? [Chat, QuietChat] : [Chat] };
}

describe.each(['websockets:is_gateway', 'graphql:resolver_name'])('a class with %s', (note) => {
  it('stops the start with an error that names the class and the remedy', async () => {
    await expect(startService(sqlite, { modules: [moduleWith(note)] })).rejects.toThrow(
      'No API key is checked for Chat, because only HTTP requests have one: make it a controller, or put @Public() on the class',
    );
  });

  it('is allowed if it is public, but a class that extends it is not', async () => {
    await expect(startService(sqlite, { modules: [moduleWith(note, true)] })).rejects.toThrow(
      'No API key is checked for QuietChat,',
    );
  });
});
