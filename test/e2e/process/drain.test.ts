import { describe, expect, it } from 'vitest';
import { type Engine, onEveryEngine } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { HeldRequests } from '../../support/http/held-requests.js';
import { startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

/** Whether new connections are refused. */
const isClosed = (port: number) =>
  Wire.to(port).then(
    (wire) => {
      wire.hangUp();
      return false;
    },
    () => true,
  );
const HOLD = 'GET /held HTTP/1.1\nHost: here\n\n';

/** A service with a request in flight, whose response the test releases. */
async function holding(engine: Engine) {
  const held = new HeldRequests();
  const service = await startService(engine, { modules: [held.module] });
  const wire = await Wire.to(service.port);
  wire.send(HOLD);
  await held.has(1);
  return { held, service, wire };
}

// A service waits up to 4 s of real time when it stops, so the tests run concurrently.
describe.concurrent('a service that closes', () =>
  onEveryEngine((engine) => {
    it('answers what is in flight, with the database still there', async () => {
      const { held, service, wire } = await holding(engine);
      const stopped = service.stop();
      await eventually(() => isClosed(service.port));
      held.release();
      expect(await wire.closed()).toMatch(/^HTTP\/1.1 200 [^]*Connection: close\r\n[^]*{"held":true}$/);
      await stopped;
    });

    it('answers 503 what takes too long, and does not wait for it', async () => {
      const { held, service, wire } = await holding(engine);
      await service.stop();
      expect(await wire.closed()).toMatch(
        /^HTTP\/1.1 503 [^]*Connection: close\r\n[^]*"code":"shutting_down"/,
      );
      held.release();
    });
  }),
);
