import type {
  History,
  OrderPage,
  OrderStatus,
  PetPage,
  StoredOrder,
  StoredPet,
  Violation,
} from './history.js';

/** How far an order has come. It never goes back, and a pet or order that is there stays. */
const STAGE: Readonly<Record<OrderStatus, number>> = { placed: 1, approved: 2, delivered: 3, cancelled: 3 };

/** The ids of a page with how far each has come, and the range of ids of which it shows all. */
interface View {
  readonly page: PetPage | OrderPage;
  readonly stages: ReadonlyMap<number, number>;
  readonly above: number;
}

/**
 * A page is one read of many objects, so of two pages one is the later: it shows all that the other shows. If each shows something
 * that the other lacks, it is a long fork (Y. Sovran et al., "Transactional storage for geo-replicated systems", SOSP 2011, section 3). Only pages
 * at the same time are compared; one after the other each object alone would be impossible.
 */
export function checkForks({ operations }: History): Violation[] {
  const pages = operations.filter(({ outcome }) => outcome === 'done');
  const pets = pages.filter((page) => page.kind === 'pets').filter(({ status }) => status === undefined);
  const orders = pages.filter((page) => page.kind === 'orders');
  return [
    ...forksOf(pets.map((page) => viewOf(page, () => 1))),
    ...forksOf(orders.map((page) => viewOf(page, ({ status }) => STAGE[status]))),
  ];
}

function viewOf<Item extends StoredPet | StoredOrder>(
  page: View['page'] & { readonly items: readonly Item[] },
  stageOf: (item: Item) => number,
): View {
  const stages = new Map(page.items.map((item) => [item.id, stageOf(item)]));
  return { page, stages, above: page.isLast ? 0 : (page.items.at(-1)?.id ?? page.below) };
}

function forksOf(views: readonly View[]): Violation[] {
  const sorted = views.toSorted((a, b) => a.page.sent - b.page.sent);
  return sorted.flatMap((one, i) => {
    const found: Violation[] = [];
    for (const other of sorted.slice(i + 1)) {
      if (other.page.sent > one.page.ended) break;
      const [ahead, behind] = [lackedBy(other, one), lackedBy(one, other)];
      if (ahead === undefined || behind === undefined) continue;
      const tell = ({ page }: View) => `the page of ${page.client} at ${Math.round(page.sent)}`;
      const text = `${tell(one)} has ${ahead} and lacks ${behind}, ${tell(other)} the other way round`;
      found.push({ rule: 'fork', text });
    }
    return found;
  });
}

/** An id that both pages would show, and for which `one` has come further than `other`. */
function lackedBy(other: View, one: View): number | undefined {
  return [...one.stages].find(
    ([id, stage]) => id > other.above && id < other.page.below && stage > (other.stages.get(id) ?? 0),
  )?.[0];
}
