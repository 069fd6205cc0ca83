import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markers, planted } from '../support/planted-faults.js';
import { readText } from '../support/read-text.js';

const STORIES = 'test/interleavings';

describe('A statement with a comment "ensures: ..."', () => {
  it('is replaced by a fault in a test of all orders', () => {
    const stories = readdirSync(STORIES)
      .map((name) => readText(join(STORIES, name)))
      .join('\n');
    expect(markers().length).toBeGreaterThan(10);
    expect(markers().filter(([ensured]) => !stories.includes(`'${ensured}':`))).toEqual([]);
  });

  it('is needed for each fault', () => {
    expect(() => planted('nothing in particular', '')).toThrow(
      'In src 0 statements, not one, are marked with "// ensures: nothing in particular".',
    );
  });
});
