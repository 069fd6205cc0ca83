import { describe, expect, it } from 'vitest';
import { PageQuery, SortField } from '../../../../../src/platform/http/index.js';
import { documentedFields } from '../../../../../tools/openapi/dto-metadata.js';
import { judged } from '../../../../support/http/judged.js';

/** A query of a list that is sorted by weight or age. Created in the test, because mutants only take effect there. */
function sortedQuery() {
  class AnimalsQuery extends PageQuery {
    @SortField({ weight: 'int64', age: 'int64' })
    sort?: string;
  }
  return AnimalsQuery;
}

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
});
