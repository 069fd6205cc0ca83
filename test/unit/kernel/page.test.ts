import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/kernel/page.js';

const nine = { id: 9n, due: new Date(1) };
const six = { id: 6n };
const four = { id: 4n };

describe('a page of a list', () => {
  it('has a next page after its last item if more items were found than fit', () => {
    expect(pageOf([nine, six, four], { limit: 2 })).toEqual({ items: [nine, six], next: { id: 6n } });
  });

  it('is the last page when everything fits', () => {
    expect(pageOf([nine, six], { limit: 2 })).toEqual({ items: [nine, six] });
  });

  it('continues after an id alone in a list that is sorted by id', () => {
    const sort = { by: 'id', descending: true };
    expect(pageOf([nine, six], { sort, limit: 1 }).next).toEqual({ id: 9n });
  });

  it.each([
    [[nine, six], { id: 9n, value: new Date(1) }],
    [[six, nine], { id: 6n, value: null }],
  ])('continues after the id and the sort value of its last item', (found, next) => {
    expect(pageOf(found, { sort: { by: 'due', descending: false }, limit: 1 }).next).toEqual(next);
  });
});
