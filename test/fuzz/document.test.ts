import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { onEveryEngine } from '../support/engines.js';
import { factsOfModules, RULE } from '../support/module-facts.js';
import { rawRequest } from '../support/http/raw-request.js';
import { BerthsModule, berthsFacts } from '../support/modules/berths-module.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { unlessTaken } from '../support/samples.js';
import { type Service, startService } from '../support/service.js';
import { WalksModule } from '../support/walks/walks.module.js';
import type { Document } from './arbitraries.js';
import type { Trial } from './attempt.js';
import { Requests } from './requests.js';

/** How many requests of each kind; `npm run test:fuzz` asks for many more. */
const RUNS = Number(process.env['FUZZ_REQUESTS'] ?? 200);

describe('a request made up from the document', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let requests: Requests;
    beforeAll(async () => {
      // With a module that has fields and parameters of every kind.
      service = await startService(engine, {
        modules: [BerthsModule, ...unlessTaken(AppointmentsModule, WalksModule)],
      });
      const { json } = await service.stranger.get('/openapi.json');
      const document = resolvedDocument(json as unknown as Document);
      requests = new Requests(document, [berthsFacts, ...(await factsOfModules())]);
    });
    afterAll(() => service.stop());

    /** Sends a request; the client checks status, headers and body of the response against the document. */
    const send = (made: Trial): Promise<void> =>
      made.check(async () => {
        const { method, target, body } = made;
        const answer = await service.client.send(method, target, {
          ...(body !== undefined && { body, headers: { 'Content-Type': 'application/json' } }),
        });
        const { statuses, codes } = made.expected;
        const told = answer.text.slice(0, 500);
        const remedy = answer.status === 400 && codes ? RULE : 'The document says otherwise.';
        expect(statuses, `${told}\n${remedy}`).toContain(answer.status);
        if (answer.status >= 400 && codes)
          expect(codes, told).toContain((answer.json as { code: string }).code);
      });

    it('is accepted when it is valid', () =>
      fc.assert(fc.asyncProperty(requests.valid(), send), { numRuns: RUNS }));

    it('is refused with the documented status when it is wrong in one place', () =>
      fc.assert(fc.asyncProperty(requests.invalid(), send), { numRuns: RUNS }));

    it('is refused when its body is any bytes at all', () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
          const { status } = await service.client.post('/v1/pets', Buffer.from(bytes));
          expect(status).toBe(400);
        }),
        { numRuns: RUNS },
      ));

    it('is refused or cut off when it is no HTTP at all, and never a fault of the service', () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 100 }), async (bytes) => {
          const answer = await rawRequest(service.port, Buffer.concat([bytes, Buffer.from('\r\n\r\n')]));
          if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
        }),
        { numRuns: Math.ceil(RUNS / 10) },
      ));
  }));
