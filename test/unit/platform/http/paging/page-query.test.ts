import { describe, expect, it } from 'vitest';
import { PageQuery } from '../../../../../src/platform/http/paging/page.query.js';
import { checkShape } from '../../../../../src/platform/http/validation/check-shape.js';

const codesOf = (query: object) =>
  checkShape(PageQuery, query).problems.map(({ field, code }) => `${field} ${code}`);

describe('a page that is asked for', () => {
  it('has twenty items when nobody says how many', () => {
    expect(checkShape(PageQuery, {}).dto.size).toBe(20);
  });

  it.each(['1', '100'])('has %s items when the client says so', (limit) => {
    const { dto, problems } = checkShape(PageQuery, { limit });
    expect([dto.size, problems]).toEqual([Number(limit), []]);
  });

  it.each(['0', '101'])('cannot have %s items', (limit) => {
    expect(codesOf({ limit })).toEqual(['limit out_of_range']);
  });

  it.each([{ limit: ['5', '5'] }, { limit: '' }])('has one limit that is a number, unlike %j', (query) => {
    expect(codesOf(query)).toEqual(['limit invalid_type']);
  });

  it('has one cursor', () => {
    expect(codesOf({ cursor: ['a', 'b'] })).toEqual(['cursor invalid_type']);
  });

  it('cannot be asked for its size directly', () => {
    expect(codesOf({ size: '5' })).toEqual(['size unknown_field']);
  });
});
