/**
 * Mutants that no test can notice, by the reason why: the file, what Stryker replaces, and by what. `npm run test:mutation` lists
 * the survivors that are not here.
 */
export const EQUIVALENT = [
  {
    because: 'no element of the list is read but those that a match would have',
    mutants: [
      ['src/kernel/rate.ts', '[]', '["Stryker was here"]'],
      ['src/platform/json/json-number.ts', '[]', '["Stryker was here"]'],
    ],
  },
  {
    because: 'a literal that is a number always matches, so that the default is never used',
    mutants: [['src/platform/json/json-number.ts', "''", '"Stryker was here!"']],
  },
  {
    because: '`Number` makes 0 of an empty text as well',
    mutants: [['src/platform/json/json-number.ts', "'0'", '""']],
  },
  {
    because: 'it only spares work: the slow way has the same result',
    mutants: [
      ['src/kernel/text.ts', 'text.length < 2 * minLength', 'true'],
      ['src/kernel/text.ts', 'text.length < 2 * minLength', 'text.length <= 2 * minLength'],
      ['src/kernel/text.ts', 'text.length > maxLength', 'true'],
      ['src/kernel/text.ts', 'text.length > maxLength', 'text.length >= maxLength'],
      ['src/platform/json/json-number.ts', 'USUAL.test(literal)', 'false'],
      ['src/platform/json/parse-json.ts', 'false', 'true'],
      ['src/platform/http/lists/listing.ts', 'known', 'false'],
      ['src/platform/http/validation/conversions.ts', 'named === undefined', 'false'],
      ['src/platform/http/validation/validate-dto.ts', 'errors.length === 0', 'false'],
      [
        'src/platform/http/validation/validate-dto.ts',
        'Object.keys(values).reverse()',
        'Object.keys(values)',
      ],
    ],
  },
];
