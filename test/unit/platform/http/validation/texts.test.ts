import { IsInt } from 'class-validator';
import { describe, expect, it } from 'vitest';
import {
  BooleanField,
  InstantField,
  Int64Field,
  IntegerField,
} from '../../../../../src/platform/http/index.js';
import { IsInt64 } from '../../../../support/rooms/http.js';
import { judged } from '../../../../support/http/judged.js';

const optional = { description: 'Some.', optional: true };

class Search {
  @IntegerField({ ...optional, example: 1, min: -9, max: 99 })
  rows?: number;

  @Int64Field({ ...optional, example: 1 })
  owner?: bigint;

  @InstantField({ ...optional, example: '2026-11-20T12:00:00.000Z' })
  since?: Date;

  @BooleanField({ ...optional, example: true })
  all?: boolean;
}
const codesOf = async (data: object, type: 'body' | 'query') =>
  (await judged(Search, data, type)).problems.map(({ code }) => code);

describe('the text of a parameter', () => {
  it('is converted by its field', async () => {
    const query = { rows: '5', owner: '9223372036854775807', since: '2026-11-20T00:00:00Z', all: 'true' };
    const { dto, problems } = await judged(Search, query, 'query');
    expect(problems).toEqual([]);
    expect({ ...dto }).toEqual({ rows: 5, owner: 2n ** 63n - 1n, since: new Date('2026-11-20'), all: true });
    expect((await judged(Search, { all: 'false', rows: '-7' }, 'query')).dto).toEqual({
      all: false,
      rows: -7,
    });
  });

  it.each(['5.0', '05', '+5', '1e1', '', ' 5', '-0', 'five', '0x5', '\u0665'])(
    'has one spelling, so %j is not a number',
    async (text) => {
      expect(await codesOf({ rows: text }, 'query')).toEqual(['invalid_type']);
      expect(await codesOf({ owner: text }, 'query')).toEqual(['invalid_type']);
    },
  );

  it.each<[object, string]>([
    [{ rows: '100' }, 'out_of_range'],
    [{ rows: '9'.repeat(400) }, 'out_of_range'],
    [{ rows: ['5', '5'] }, 'invalid_type'],
    [{ all: 'yes' }, 'invalid_type'],
    [{ all: 'constructor' }, 'invalid_type'],
    [{ since: '2026-11-20' }, 'invalid_format'],
  ])('is rejected: %j', async (data, code) => expect(await codesOf(data, 'query')).toEqual([code]));

  it('stays a text if no field converts it', async () => {
    class Page {
      @IsInt()
      rows!: number;
    }
    expect((await judged(Page, { rows: '5' }, 'query')).problems).toMatchObject([{ code: 'invalid_type' }]);
  });

  it('may be one of several', async () => {
    class Owners {
      @IsInt64({ each: true })
      ids!: bigint[];
    }
    expect((await judged(Owners, { ids: ['1', '2'] }, 'query')).dto.ids).toEqual([1n, 2n]);
  });
});

describe('a text in a body', () => {
  it.each([{ rows: '5' }, { owner: '5' }, { all: 'true' }])('stays a text: %j', async (data) => {
    expect(await codesOf(data, 'body')).toEqual(['invalid_type']);
  });
});

describe('an integer of 64 bits', () => {
  it.each([7, -7, 0])('becomes a bigint, also %s', async (owner) => {
    expect((await judged(Search, { owner })).dto.owner).toBe(BigInt(owner));
  });
});
