import { beforeEach, describe, expect, it } from 'vitest';
import { onEveryEngine } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { HeldRequests } from '../support/held-requests.js';
import { type Service, startService } from '../support/service.js';
import { Wire } from '../support/wire.js';

/** Whether nobody is let in any more. */
const isClosed = (port: number) =>
  Wire.to(port).then(
    (wire) => {
      wire.hangUp();
      return false;
    },
    () => true,
  );
const HOLD = 'GET /held HTTP/1.1\nHost: here\n\n';

describe('a service that closes', () =>
  onEveryEngine((engine) => {
    const held = new HeldRequests();
    let service: Service;
    let wire: Wire;
    beforeEach(async () => {
      service = await startService(engine, { modules: [held.module] });
      wire = await Wire.to(service.port);
      wire.send(HOLD);
      await held.has(1);
    });

    it('answers what is in flight, with the database still there', async () => {
      const stopped = service.stop();
      await eventually(() => isClosed(service.port));
      held.release();
      expect(await wire.closed()).toMatch(/^HTTP\/1.1 200 [^]*Connection: close\r\n[^]*{"held":true}$/);
      await stopped;
    });

    it('answers 503 what takes too long, and does not wait for it', async () => {
      await service.stop();
      expect(await wire.closed()).toMatch(/^HTTP\/1.1 503 [^]*Connection: close\r\n[^]*"code":"timeout"/);
      held.release();
    });
  }));
