import { Body, Query } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { IdsField, WordsField } from '../../../../../src/platform/http/index.js';
import type { Route } from '../../../../support/rooms/http.js';
import { describeFields } from '../../../../../tools/openapi/describe-fields.js';
import { documentedFields } from '../../../../../tools/openapi/dto-metadata.js';
import { judged } from '../../../../support/http/judged.js';

const notes = { description: 'Which.', optional: true };

class PetsQuery {
  @IdsField({ ...notes, example: [7] })
  id?: bigint[];

  @WordsField(['walk', 'bath', 'brush'], { ...notes, name: 'Extra', example: ['walk'] })
  extras?: string[];
}

const many = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

describe('a list in a query', () => {
  it.each<[string, object, object]>([
    ['one item', { id: '7' }, { id: [7n] }],
    ['items in one parameter', { id: '7,12' }, { id: [7n, 12n] }],
    ['a parameter for each item', { id: ['7', '12'] }, { id: [7n, 12n] }],
    [
      'a parameter for each item, and items in one parameter',
      { id: ['7', '12,3', '1'] },
      { id: [7n, 12n, 3n, 1n] },
    ],
    ['as many items as are allowed', { id: ['1,2', ...many(98)] }, {}],
    ['one word', { extras: 'walk' }, { extras: ['walk'] }],
    ['words in one parameter', { extras: 'walk,bath' }, { extras: ['walk', 'bath'] }],
    ['a parameter for each word', { extras: ['walk', 'bath'] }, { extras: ['walk', 'bath'] }],
    [
      'a parameter for each word, and words in one parameter',
      { extras: ['walk,bath', 'brush'] },
      { extras: ['walk', 'bath', 'brush'] },
    ],
    ['nothing', {}, {}],
  ])('may be %s', async (_, query, dto) => {
    expect(await judged(PetsQuery, query, 'query')).toMatchObject({ dto, problems: [] });
  });

  const AN_INTEGER = 'each value must be an integer';
  const A_WORD = 'each value must be one of walk, bath, brush';
  const TOO_MANY = 'must contain no more than 100 elements';
  it.each<[object, string, string, string]>([
    [{ id: '' }, 'id', 'invalid_type', `${AN_INTEGER}; one is empty`],
    [{ id: '1,,2' }, 'id', 'invalid_type', `${AN_INTEGER}; one is empty`],
    [{ id: '1,2,' }, 'id', 'invalid_type', `${AN_INTEGER}; one is empty`],
    [{ id: ['1', ''] }, 'id', 'invalid_type', `${AN_INTEGER}; one is empty`],
    [{ id: '1,x' }, 'id', 'invalid_type', AN_INTEGER],
    [{ id: ['1, 2'] }, 'id', 'invalid_type', AN_INTEGER],
    [{ id: ['1', '0'] }, 'id', 'out_of_range', 'each value must be from 1 to 9007199254740991'],
    [{ id: many(101).join() }, 'id', 'too_long', TOO_MANY],
    [{ id: many(101) }, 'id', 'too_long', TOO_MANY],
    [{ id: [many(100).join(), '101'] }, 'id', 'too_long', TOO_MANY],
    [{ extras: '' }, 'extras', 'invalid_enum_value', `${A_WORD}; one is empty`],
    [{ extras: 'walk,,bath' }, 'extras', 'invalid_enum_value', `${A_WORD}; one is empty`],
    [{ extras: 'swim' }, 'extras', 'invalid_enum_value', A_WORD],
    [{ extras: ['walk', 'walk'] }, 'extras', 'invalid_value', 'must not have a word twice'],
  ])('is rejected with the problem that it has: %j', async (query, field, code, message) => {
    const { problems } = await judged(PetsQuery, query, 'query');
    expect(problems).toMatchObject([{ path: [field], code, message }]);
  });

  it('follows class-transformer and class-validator if the module uses their decorators', async () => {
    class RowsQuery {
      @IsInt({ each: true })
      @Type(() => Number)
      rows!: number[];
    }
    const rowsOf = async (rows: unknown) => (await judged(RowsQuery, { rows }, 'query')).dto.rows;
    expect([await rowsOf('5'), await rowsOf(['5', '6'])]).toEqual([5, [5, 6]]);
  });
});

describe('a list in a body', () => {
  it.each<[object, string]>([
    [{ extras: 'walk' }, 'must be an array'],
    [{ extras: ['walk,bath'] }, 'each value must be one of walk, bath, brush'],
    [{ id: ['7'] }, 'each value must be an integer'],
    [{ id: [[7]] }, 'each value must be an integer'],
  ])('is an array of items, not a text: %j', async (body, message) => {
    expect((await judged(PetsQuery, body)).problems).toMatchObject([{ message }]);
  });
});

describe('the description of a list', () => {
  class InQuery extends PetsQuery {}
  class InBody extends PetsQuery {}
  class Lists {
    find(@Query() _query: InQuery) {}
    add(@Body() _body: InBody) {}
  }
  const describedIn = (property: keyof Lists, dto: typeof InQuery) => {
    describeFields([{ controller: Lists, property } as unknown as Route]);
    return ['id', 'extras'].map((field) => documentedFields(dto).get(field)!);
  };

  it('says for a query that one parameter contains all items, but not for a body', () => {
    for (const field of describedIn('find', InQuery))
      expect(field).toMatchObject({ style: 'form', explode: false });
    for (const field of describedIn('add', InBody)) expect(field).not.toHaveProperty('explode');
  });
});
