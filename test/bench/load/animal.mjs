const NAMES = [
  'Rex',
  'Bella',
  'Luna',
  'Max',
  'Zoë',
  'Nyan',
  'Søren',
  '猫',
  'Brontë',
  'Tweety',
  'Äffle',
  'Ivan',
];
const LARGE = 2n ** 53n;

/** The pet with this id; deterministic, so that two databases of the same size have the same contents. */
export function animal(id) {
  const chance = scattered(id);
  const share = chance % 100;
  return {
    name: `${NAMES[chance % NAMES.length]} ${id}`,
    // One in sixteen has a category that a double cannot represent exactly.
    categoryId: chance % 16 === 0 ? LARGE + BigInt(chance) : BigInt(1 + (chance % 40)),
    status: share < 60 ? 'available' : share < 85 ? 'pending' : 'sold',
  };
}

/** Maps neighbouring ids to numbers far apart: the finalizer of MurmurHash3. */
function scattered(id) {
  let hash = id >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
