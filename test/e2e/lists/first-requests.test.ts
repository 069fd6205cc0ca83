import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../fuzz/arbitraries.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { mySql, onEveryEngine, sqlite } from '../../support/engines.js';
import { boundsOf, EXAMPLES, listsOf, queriesOf } from '../../support/http/lists.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { BerthsModule } from '../../support/modules/berths-module.js';
import { JourneysModule } from '../../support/modules/journeys-module.js';
import { Recorder } from '../../support/site/recorder.js';
import { unlessTaken } from '../../support/samples.js';
import { type Service, startService } from '../../support/service.js';

/** plans.test.ts requests every list on MariaDB. */
describe('on an empty database, every list', () =>
  onEveryEngine(
    (engine) => {
      let service: Service;
      const log = new Recorder();
      beforeAll(async () => {
        const modules = [BerthsModule, ...unlessTaken(AppointmentsModule, JourneysModule)];
        service = await startService(engine, { modules, log, environment: { LOG_LEVEL: 'error' } });
      });
      afterAll(() => service.stop());

      it('returns its first page, with each filter in each order', async () => {
        const { json } = await service.stranger.get('/openapi.json');
        const lists = listsOf(service.app, resolvedDocument(json as unknown as Document));
        expect(lists.length).toBeGreaterThan(4);
        for (const list of lists) {
          const bounds = await boundsOf(list, service.client);
          for (const query of queriesOf(list, bounds, [], [])) {
            const target = `${list.path}?${list.required}${query}`;
            const { status, text } = await service.client.get(target);
            // The item to which the list belongs does not exist.
            const allowed = list.parts.length > 0 ? [200, 404] : [200];
            expect(
              allowed,
              `${target} answers ${status} ${text} ${log.text}\nA list without items is an empty page. ${EXAMPLES}`,
            ).toContain(status);
          }
        }
      });
    },
    [sqlite, mySql],
  ));
