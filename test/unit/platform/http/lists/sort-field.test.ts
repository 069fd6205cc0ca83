import { IsInt, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import {
  type ListOptions,
  MayBeAbsent,
  PageQuery,
  SortField,
} from '../../../../../src/platform/http/index.js';
import { listingOf } from '../../../../support/rooms/http.js';
import { documentedFields } from '../../../../../tools/openapi/dto-metadata.js';
import { judged } from '../../../../support/http/judged.js';

const SORT = { weight: 'int64', age: 'int64' } as const;

/** A query of a list that is sorted by weight or age. */
function sortedQuery() {
  class AnimalsQuery extends PageQuery {
    @SortField(SORT)
    sort?: string;

    @IsInt()
    @MayBeAbsent()
    maxWeight?: number;

    @IsInt()
    @MayBeAbsent()
    minWeight?: number;

    @IsInt()
    @MayBeAbsent()
    minAge?: number;
  }
  return AnimalsQuery;
}
type SortedQuery = InstanceType<ReturnType<typeof sortedQuery>>;

const OPTIONS: ListOptions<SortedQuery> = {
  sort: SORT,
  ranges: { weight: { from: 'minWeight', before: 'maxWeight' }, age: { from: 'minAge' } },
};
const listingFor = (parameters: Partial<SortedQuery>, options = OPTIONS) =>
  listingOf(Object.assign(Object.create(sortedQuery().prototype as SortedQuery), parameters), options);

describe('the field by which a list is sorted', () => {
  it.each(['weight', '-weight', 'age', '-age', 'id', '-id'])('may be %s', async (sort) => {
    expect((await judged(sortedQuery(), { sort }, 'query')).problems).toEqual([]);
  });

  it.each(['name', '', '-', '--age'])('is one of the sort fields, and not "%s"', async (sort) => {
    expect((await judged(sortedQuery(), { sort }, 'query')).problems).toMatchObject([
      { code: 'invalid_enum_value', message: 'must be one of weight, -weight, age, -age, id, -id' },
    ]);
  });

  it('is described in the OpenAPI document with its words and its default', () => {
    expect(documentedFields(sortedQuery()).get('sort')).toMatchObject({
      enum: ['weight', '-weight', 'age', '-age', 'id', '-id'],
      required: false,
      example: 'weight',
      description:
        'What the list is sorted by, with `-` in descending order; `-id`, newest first, if left out.',
    });
  });

  it('is a property of which the options name the kind of column', () => {
    expect(() => listingFor({ sort: '-age' }, {})).toThrow(
      'A list cannot be sorted by age: name its kind of column in the option sort.',
    );
    expect(listingFor({ sort: '-id' }, {}).kind).toBeUndefined();
  });

  it.each([
    [{ sort: '-age' }, { kind: 'int64', selection: { sort: { by: 'age', descending: true } } }],
    [{ minWeight: 7 }, { selection: { sort: { by: 'weight', descending: false }, range: { from: 7 } } }],
    [
      { minWeight: 7, maxWeight: 9, sort: '-weight' },
      { selection: { sort: { by: 'weight', descending: true }, range: { from: 7, before: 9 } } },
    ],
  ])('gives the kind of the sorted column, and is the field of a range: %j', (parameters, listing) =>
    expect(listingFor(parameters)).toMatchObject(listing),
  );

  it('is the property of the range that the class declares first, so that other ranges are rejected', () => {
    const problem = {
      field: 'query.minAge',
      code: 'invalid_value',
      message: 'is for a list that is sorted by age; send sort=age or sort=-age',
    };
    expect(() => listingFor({ minAge: 1, minWeight: 7 })).toThrow(
      expect.objectContaining({ answer: expect.objectContaining({ details: [problem] }) as object }) as Error,
    );
  });
});

it('the options of a list name only fields of its query, as the compiler checks', () => {
  // @ts-expect-error -- the query has no field minSize
  const options: ListOptions<SortedQuery> = { ranges: { weight: { from: 'minSize' } } };
  expect(listingFor({ minWeight: 7 }, options).selection).toEqual({ filter: { minWeight: 7 } });
});

it('a query has the fields of its class, then the fields of its base class, but not `limit` and `cursor`', () => {
  class BaseQuery extends PageQuery {
    @IsString()
    colour?: string;
  }
  class Query extends BaseQuery {
    @IsString()
    size?: string;

    @IsString()
    age?: string;
  }
  const query = Object.assign(new Query(), { colour: 'red', age: 'old', limit: 1, cursor: 'c', size: 'big' });
  expect(Object.keys(listingOf(query, {}).parameters)).toEqual(['size', 'age', 'colour']);
});
