import type { NewPetInput, PetStatus } from '../../pets/index.js';

const CALLED =
  'Bella Biscuit Bruno Clover Coco Daisy Dexter Ella Felix Ginger Hazel Hugo Iris Jasper Juno Kiki Leo Lola Luna Max Mia Milo Nala Nero Oscar Otto Penny Pepper Rex Rosie Ruby Rufus Sam Simba Sunny Tilly Toby Willow Yuki Zoe'.split(
    ' ',
  );
const SURNAMED = ['', '', '', 'the Brave', 'the Second', 'of the Hill', 'Junior', 'the Quiet'];
/** The list is weighted, so that most pets are available. */
const STATUSES = [...Array<PetStatus>(7).fill('available'), 'pending', 'sold', 'sold'] as const;
const CATEGORIES = 12;

/** `count` made-up pets. The same seed makes the same pets. */
export function* madeUpPets(count: number, seed: number): Generator<NewPetInput> {
  const random = mulberry32(seed);
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  for (let i = 0; i < count; i++) {
    const name = `${oneOf(CALLED)} ${oneOf(SURNAMED)}`.trimEnd();
    yield { name, categoryId: BigInt(1 + Math.floor(random() * CATEGORIES)), status: oneOf(STATUSES) };
  }
}

/** Tommy Ettinger's generator: 32 bits of state, and numbers from 0 up to 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
