import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../validation/dto.decorators.js';
import type { SortKind } from './sort-kinds.js';

/** The properties that a list can be sorted by besides the id, each with its kind of column. */
export type SortKeys = Readonly<Record<string, SortKind>>;

const SORT_KEYS = Symbol('sort keys');

/**
 * For the field `sort` of a list's query: its value is a property, descending with `-` before it. Equal values are ordered by
 * id. Each property needs an index that begins with the filter's column (typeorm: `keysetPage`).
 */
export function SortField(keys: SortKeys): PropertyDecorator {
  const words = [...Object.keys(keys), 'id'].flatMap((key) => [key, `-${key}`]);
  const message = `$property must be one of ${words.join(', ')}`;
  return applyDecorators(
    MayBeAbsent(),
    IsIn(words, { message }),
    ApiProperty({
      enum: words,
      required: false,
      description:
        'What the list is sorted by, with `-` in descending order; `-id`, newest first, if left out.',
      example: words[0],
    }),
    (prototype: object) => Reflect.defineMetadata(SORT_KEYS, keys, prototype),
  );
}

export const sortKeysOf = (prototype: object): SortKeys =>
  (Reflect.getMetadata(SORT_KEYS, prototype) as SortKeys | undefined) ?? {};

/** A bound on the property that the list is sorted by. */
export interface Bound {
  readonly end: 'from' | 'before';
  /** The property of the items. */
  readonly by: string;
}

const BOUND = Symbol('bound');

const bound = (end: Bound['end'], by: string): PropertyDecorator =>
  applyDecorators(
    (prototype: object, field: string | symbol) =>
      Reflect.defineMetadata(BOUND, { end, by } satisfies Bound, prototype, field),
    ApiProperty({ 'x-range-of': by } as ApiPropertyOptions),
  );

/**
 * A lower bound (inclusive) on a property that the list can be sorted by, besides the field's own rules. A list with such a
 * bound is sorted by this property, ascending by default: any other order would make the database read rows that do not match.
 */
export const From = (by: string) => bound('from', by);

/** As `From`, an upper bound (exclusive). */
export const Before = (by: string) => bound('before', by);

export const boundOf = (prototype: object, field: string): Bound | undefined =>
  Reflect.getMetadata(BOUND, prototype, field) as Bound | undefined;
