import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRelativePath, toWholePath } from '../../../../src/platform/config/base-path.js';

describe('a path', () => {
  it.each([
    ['/pets', '/v1/pets'],
    ['/vets', '/v1/vets'],
    ['/v8-engines/5', '/v1/v8-engines/5'],
    ['/v2', '/v1/v2'],
    ['/v2/pets', '/v2/pets'],
    ['/v2.1/pets', '/v2.1/pets'],
    ['/v20/pets', '/v20/pets'],
  ])('below the base URL has the default version, unless it names its version: %s', (path, whole) =>
    expect(toWholePath(path)).toBe(whole),
  );

  it.each([
    ['/v1/pets', '/pets'],
    ['/v1', ''],
    ['/v2/pets', '../v2/pets'],
    ['/v10/pets', '../v10/pets'],
    ['/vbeta/pets', '../vbeta/pets'],
    ['/pets', '../pets'],
  ])('of any version is relative to the base URL: %s', (path, relative) =>
    expect(toRelativePath(path)).toBe(relative),
  );

  it('has a relative path that no other path has', () => {
    const path = fc.string({ unit: fc.constantFrom('/', 'v', '1', '2', 'pets') }).map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(toRelativePath(one) === toRelativePath(other)).toBe(one === other);
      }),
    );
  });
});
