import { IsInt } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { From, MayBeAbsent, PageQuery, SortField } from '../../../../../src/platform/http/index.js';
import { listingOf, listShapeOf } from '../../../../support/rooms/http.js';
import { documentedFields } from '../../../../../tools/openapi/dto-metadata.js';
import { judged } from '../../../../support/http/judged.js';

/** A query of a list, which is sorted by weight or age. */
function querySorted() {
  class AnimalsQuery extends PageQuery {
    @SortField({ weight: 'int64', age: 'int64' })
    sort?: string;

    @From('weight')
    @IsInt()
    @MayBeAbsent()
    minWeight?: number;
  }
  return AnimalsQuery;
}
const listingFor = (parameters: object) => {
  const prototype = querySorted().prototype as PageQuery;
  return listingOf(Object.assign(Object.create(prototype) as PageQuery, parameters), listShapeOf(prototype));
};

describe('the field by which a list is sorted', () => {
  it.each(['weight', '-weight', 'age', '-age', 'id', '-id'])('may be %s', async (sort) => {
    expect((await judged(querySorted(), { sort }, 'query')).problems).toEqual([]);
  });

  it.each(['name', '', '-', '--age'])('is one of the sort fields, and not "%s"', async (sort) => {
    expect((await judged(querySorted(), { sort }, 'query')).problems).toMatchObject([
      { code: 'invalid_enum_value', message: 'must be one of weight, -weight, age, -age, id, -id' },
    ]);
  });

  it('is described in the OpenAPI document with its words and its default', () => {
    expect(documentedFields(querySorted()).get('sort')).toMatchObject({
      enum: ['weight', '-weight', 'age', '-age', 'id', '-id'],
      required: false,
      example: 'weight',
      description:
        'What the list is sorted by, with `-` in descending order; `-id`, newest first, if left out.',
    });
  });

  it('is left to the handler if the query does not use `@SortField`', () => {
    class OwnQuery extends PageQuery {
      @IsInt()
      sort?: number;
    }
    const shape = listShapeOf(OwnQuery.prototype);
    expect(shape).toEqual({ fields: ['sort'], filters: [], bounds: new Map(), sortKeys: {} });
  });

  it.each([
    [{ sort: '-age' }, { kind: 'int64', selection: { sort: { by: 'age', descending: true } } }],
    [{ minWeight: 7 }, { selection: { sort: { by: 'weight', descending: false }, range: { from: 7 } } }],
  ])('gives the kind of the sorted column, and is the field of a range: %j', (parameters, listing) =>
    expect(listingFor(parameters)).toMatchObject(listing),
  );
});
