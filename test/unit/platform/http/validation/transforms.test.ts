import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { describe, expect, it } from 'vitest';
import {
  renamesOrDrops,
  transformsOf,
  typeNamed,
  typesNamed,
} from '../../../../../src/platform/http/validation/transforms.js';

class Cat {}
class Dog {}

class Visit {
  @Type(() => Cat)
  cat!: Cat;

  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'cat', value: Cat },
        { name: 'dog', value: Dog },
      ],
    },
  })
  pet!: Cat | Dog;

  @Transform(({ value, key, obj }) => `${key} ${String(value)} of ${Object.keys(obj as object).length}`)
  note!: string;

  @Transform(() => 'out', { toPlainOnly: true })
  vet!: string;
}

class CheckUp extends Visit {
  @Exclude({ toClassOnly: true })
  price!: number;

  @Exclude({ toPlainOnly: true })
  secret!: string;

  @Expose({ name: 'due_on' })
  dueOn!: string;

  @Expose()
  kind!: string;
}

@Exclude()
class Closed {
  name!: string;
}

describe('what class-transformer does not document', () => {
  it('tells the classes that @Type names, those of its base class too', () => {
    expect(typeNamed(CheckUp, 'cat')).toBe(Cat);
    expect(typesNamed(CheckUp, 'cat')).toEqual([Cat]);
    expect(typesNamed(Visit, 'pet')).toEqual([Cat, Dog]);
    expect([typeNamed(Visit, 'note'), typesNamed(Visit, 'note')]).toEqual([undefined, []]);
  });

  it('tells the transforms of requests', () => {
    const [transform, ...others] = transformsOf(CheckUp, 'note');
    expect([transform!(7, { note: 7, vet: 'Ann' }), others]).toEqual(['note 7 of 2', []]);
    expect(transformsOf(Visit, 'vet')).toEqual([]);
  });

  it('tells what would be renamed or dropped in a request', () => {
    expect(renamesOrDrops(Visit, ['cat', 'pet', 'note', 'vet'])).toBeUndefined();
    expect(renamesOrDrops(CheckUp, ['secret', 'kind'])).toBeUndefined();
    expect(renamesOrDrops(CheckUp, ['kind', 'price'])).toBe('@Exclude() on price');
    expect(renamesOrDrops(CheckUp, ['dueOn'])).toBe('@Expose({ name }) on dueOn');
    expect(renamesOrDrops(Closed, ['name'])).toBe('@Exclude()');
  });
});
