import fc from 'fast-check';

/** RFC 3339, with the kinds of offset and precision that a client may send; years that JavaScript and both engines support. */
export function instant(): fc.Arbitrary<string> {
  const range = {
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  };
  const offset = fc.constantFrom('Z', 'z', '+02:00', '-11:30', '+00:00');
  return fc.tuple(fc.date(range), fc.constantFrom(19, 23), offset).map(([date, length, zone]) => {
    return date.toISOString().slice(0, length) + zone;
  });
}

/** Texts that are no instants. */
export const NO_INSTANTS = [
  '',
  '2026-11-22',
  '2026-11-22T10:00:00',
  '2026-02-30T10:00:00Z',
  '2026-11-22T25:00:00Z',
  '2026-11-22 10:00',
  'yesterday',
  '1795316400000',
];

/** Calendar days that a column of each engine holds. */
export function day(): fc.Arbitrary<string> {
  const range = { min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  return fc.date(range).map((date) => date.toISOString().slice(0, 10));
}

/** Texts that are no calendar days. */
export const NO_DAYS = ['', '2026-02-30', '2026-11-22T10:00:00Z', '20261122', '2026-1-1', 'yesterday'];
