import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/domain-error.js';
import { aVaccination, CHANGES } from '../../support/vaccination-builder.js';

describe('a vaccination', () => {
  const vaccination = aVaccination();

  it('is changed in what the change names, and stays itself', () => {
    expect(vaccination.change({})).toEqual(vaccination);
    let [changed, expected] = [vaccination, {}];
    for (const { change } of CHANGES) {
      changed = changed.change(change);
      expected = { ...expected, ...change };
      expect(changed).toEqual(aVaccination(expected));
    }
    expect(vaccination).toEqual(aVaccination());
  });

  it('loses what the change has as undefined', () => {
    expect(vaccination.change({ dueAt: undefined })).toEqual(aVaccination({ dueAt: undefined }));
  });

  it('is transferred if it is open', () => {
    expect(vaccination.transfer()).toEqual(aVaccination({ state: 'transferred' }));
    expect(aVaccination({ state: 'done' }).transfer()).toEqual(aVaccination({ state: 'done' }));
  });

  it('remembers its reminder as long as it is due at the same time', () => {
    const remindedAt = new Date('2026-11-20T06:00:00.000Z');
    const reminded = vaccination.remind(remindedAt);
    expect(reminded).toEqual(aVaccination({ remindedAt }));
    expect(reminded.change({ vaccine: 'Other', dueAt: new Date(vaccination.dueAt!) }).remindedAt).toEqual(
      remindedAt,
    );
    expect(reminded.transfer().remindedAt).toEqual(remindedAt);
    expect(reminded.change({ dueAt: new Date('2026-12-01T12:00:00.000Z') }).remindedAt).toBeUndefined();
    expect(reminded.change({ dueAt: undefined }).remindedAt).toBeUndefined();
  });

  it('takes no change that the policy refuses', () => {
    expect(() => vaccination.change({ vaccine: '' })).toThrow(InvalidInput);
    // Valid by itself, but not together with the stored fields.
    expect(() => vaccination.change({ givenAt: vaccination.dueAt! })).toThrow(InvalidInput);
    expect(() => vaccination.change({ dueAt: vaccination.givenAt })).toThrow(InvalidInput);
  });
});
