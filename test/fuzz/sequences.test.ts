import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { onEveryEngine } from '../support/engines.js';
import { Shop } from './shop.js';
import { sequences } from './shop-commands.js';
import { ShopModel } from './shop-model.js';
import { Requests } from './shop-requests.js';

/** How many sequences are sent; `npm run test:fuzz` sends many more. */
const RUNS = Number(process.env['FUZZ_SEQUENCES'] ?? 15);
/** In ms before the timeout of the test, for the report of what was found until then. */
const MARGIN = 10_000;

describe('two replicas', () =>
  onEveryEngine((engine) => {
    let shop: Shop;
    beforeAll(async () => (shop = await Shop.open(engine)));
    afterAll(() => shop.close());

    it('do what the guide promises, in whatever order pets, orders and keys are used', ({ task }) =>
      fc.assert(
        fc.asyncProperty(sequences, async (steps) => {
          await shop.empty();
          const model = new ShopModel(shop.firstKey);
          await fc.asyncModelRun(() => ({ model, real: shop }), steps);
          await new Requests(shop, model).compareAll();
        }),
        { numRuns: RUNS, interruptAfterTimeLimit: task.timeout - MARGIN, markInterruptAsFailure: true },
      ));
  }));
