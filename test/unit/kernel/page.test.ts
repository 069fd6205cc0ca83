import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/kernel/page.js';

const nine = { id: 9n };
const six = { id: 6n };
const four = { id: 4n };

describe('a page of a list', () => {
  it('goes on after its last item when one more was found than fits', () => {
    expect(pageOf([nine, six, four], 2)).toEqual({ items: [nine, six], next: 6n });
  });

  it('is the last one when everything fits', () => {
    expect(pageOf([nine, six], 2)).toEqual({ items: [nine, six] });
  });

  it('is empty, and the last one, when nothing was found', () => {
    expect(pageOf([], 2)).toEqual({ items: [] });
  });
});
