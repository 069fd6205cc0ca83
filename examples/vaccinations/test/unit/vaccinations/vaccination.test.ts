import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/index.js';
import { aVaccination, aNewVaccination, vaccinationStepsTo } from '../../support/vaccination-builder.js';

describe('a vaccination', () => {
  const vaccination = aVaccination({ state: 'open' });

  it('changes only the properties that the change names', () => {
    expect(vaccination.change({})).toEqual(vaccination);
    let [changed, expected] = [vaccination, { ...vaccination }];
    for (const change of vaccinationStepsTo(aNewVaccination())) {
      changed = changed.change(change);
      expected = { ...expected, ...change };
      expect({ ...changed }).toEqual(expected);
    }
  });

  it('loses the properties that are undefined in the change', () => {
    expect(vaccination.change({ dueAt: undefined })).toEqual(
      aVaccination({ ...vaccination, dueAt: undefined }),
    );
  });

  it('is transferred if it is open', () => {
    expect(vaccination.transfer()).toEqual(aVaccination({ ...vaccination, state: 'transferred' }));
    const done = aVaccination({ state: 'done' });
    expect(done.transfer()).toEqual(done);
  });

  it('keeps the time of its reminder as long as it is due at the same time', () => {
    const remindedAt = new Date('2026-11-20T06:00:00.000Z');
    const reminded = vaccination.remind(remindedAt);
    expect(reminded).toEqual(aVaccination({ ...vaccination, remindedAt }));
    expect(reminded.change({ vaccine: 'Other', dueAt: new Date(vaccination.dueAt!) }).remindedAt).toEqual(
      remindedAt,
    );
    expect(reminded.transfer().remindedAt).toEqual(remindedAt);
    expect(reminded.change({ dueAt: new Date('2036-12-01T12:00:00.000Z') }).remindedAt).toBeUndefined();
    expect(reminded.change({ dueAt: undefined }).remindedAt).toBeUndefined();
  });

  it('rejects a change that the policy rejects', () => {
    expect(() => vaccination.change({ vaccine: '' })).toThrow(InvalidInput);
    // The change is valid by itself, but not together with the stored fields.
    expect(() => vaccination.change({ givenAt: vaccination.dueAt! })).toThrow(InvalidInput);
    expect(() => vaccination.change({ dueAt: vaccination.givenAt })).toThrow(InvalidInput);
  });
});
