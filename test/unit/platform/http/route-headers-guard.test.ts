import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { describe, expect, it } from 'vitest';
import { RouteHeadersGuard } from '../../../../src/platform/http/route-headers.guard.js';

class EchoGateway {
  echo() {}
}

const asked = (type: string) => {
  const context = new ExecutionContextHost([{}, {}], EchoGateway, EchoGateway.prototype.echo);
  context.setType(type);
  return () => new RouteHeadersGuard(undefined!).canActivate(context);
};

describe('the first guard', () => {
  it('lets HTTP in', () => expect(asked('http')()).toBe(true));

  it.each(['ws', 'rpc', 'graphql'])('refuses what has no API key, and names what was called: %s', (type) => {
    expect(asked(type)).toThrow(
      `EchoGateway.echo was called by ${type}, which has no API key here: only HTTP is served.`,
    );
  });
});
