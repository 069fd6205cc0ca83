import { expect, test } from 'vitest';
import { byOwner, selfTimes } from '../../bench/figures/self-time.js';

const at = (id: number, functionName: string, url = '', lineNumber = 0) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});
const profile = {
  nodes: [
    at(1, '(idle)'),
    at(2, 'list', 'file:///somewhere/dist/pets/pets.js', 6),
    at(3, 'route', 'file:///somewhere/node_modules/@nestjs/core/router.js'),
    at(4, 'list', 'file:///somewhere/dist/pets/pets.js', 6),
    at(5, 'writev'),
    at(6, '(garbage collector)'),
  ],
  samples: [1, 2, 3, 4, 5, 6],
  timeDeltas: [100, 30, 20, 20, 20, 10],
};

test('a function has its share of the busy time, from wherever it was called', () => {
  const { times, idle } = selfTimes(profile);
  expect(idle).toBe(0.5);
  expect(times[0]).toEqual({ name: 'list', place: 'dist/pets/pets.js:7', owner: 'petstore', share: 0.5 });
});

test('packages are told apart', () => {
  expect(Object.fromEntries(byOwner(selfTimes(profile).times))).toEqual({
    petstore: 0.5,
    '@nestjs/core': 0.2,
    'native code': 0.2,
    '(garbage collector)': 0.1,
  });
});
