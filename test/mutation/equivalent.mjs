/**
 * Mutants that no test of this run can notice, by the reason why. Each has the name that `name-of.mjs` gives it: the file, the function or
 * constant, the mutator, and the words of the replacement. A number says how many mutants have this name and are equivalent, if it is
 * not one. `npm run test:mutation` lists the survivors that are not here.
 */
export const EQUIVALENT = [
  {
    because: 'no element of the list is read except elements that a match would have',
    mutants: [
      ['src/kernel/rate.ts', 'parseRate', 'ArrayDeclaration', '["Stryker was here"]'],
      ['src/kernel/stored-instant.ts', 'StoredInstant.of', 'ArrayDeclaration', '["Stryker was here"]'],
      [
        'src/pet-files/application/pet-import.ts',
        'PetImport.#validate',
        'ArrayDeclaration',
        '["Stryker was here"]',
      ],
      ['src/platform/json/json-number.ts', 'readNumber', 'ArrayDeclaration', '["Stryker was here"]'],
    ],
  },
  {
    because: 'a literal that is a number always has a sign, even if it is empty, and digits',
    mutants: [['src/platform/json/json-number.ts', 'readNumber', 'StringLiteral', '"Stryker was here!"', 2]],
  },
  {
    because: '`Number` also makes 0 of an empty text',
    mutants: [['src/platform/json/json-number.ts', 'readNumber', 'StringLiteral', '""']],
  },
  {
    because: 'neither text is a code, an id or a word that is looked for',
    mutants: [
      ['src/pet-files/application/pet-import.ts', 'PetImport.#each', 'StringLiteral', '"Stryker was here!"'],
      ['src/platform/database/error-table.ts', 'listedClassOf', 'StringLiteral', '"Stryker was here!"', 3],
      ['src/platform/database/error-table.ts', 'errorClassOf', 'StringLiteral', '"Stryker was here!"'],
      ['src/platform/database/error-table.ts', 'remedyOf', 'StringLiteral', '"Stryker was here!"'],
      ['src/platform/database/errors.ts', 'isMissingTable', 'StringLiteral', '"Stryker was here!"'],
      ['src/platform/database/errors.ts', 'translateError', 'StringLiteral', '"Stryker was here!"'],
      ['src/platform/http/lists/cursor.ts', 'decodeCursor', 'StringLiteral', '"Stryker was here!"', 2],
      ['src/platform/http/lists/sort-value.ts', 'PARSERS', 'StringLiteral', '"Stryker was here!"'],
    ],
  },
  {
    because: 'what is looked for is always there',
    mutants: [
      ['src/platform/events/outbox.ts', 'Outbox.#deliverOne', 'OptionalChaining', '.get'],
      ['src/platform/http/idempotency/idempotency.ts', 'targetOf', 'StringLiteral', '"Stryker was here!"'],
      ['src/platform/http/lists/listing.ts', 'checkOrder', 'OptionalChaining', 'sort.by'],
      [
        'src/platform/http/validation/null-items.ts',
        'ofNullItems',
        'ArrayDeclaration',
        '["Stryker was here"]',
      ],
      [
        'src/platform/http/validation/null-items.ts',
        'ofNullItems',
        'OptionalChaining',
        "error.constraints['nestedValidation']",
      ],
      ['src/platform/http/validation/untaken-integers.ts', 'placeIn', 'StringLiteral', '"Stryker was here!"'],
      [
        'src/platform/http/validation/validation.pipe.ts',
        'DtoValidationPipe.#validate',
        'OptionalChaining',
        'error.errors[0].target',
      ],
    ],
  },
  {
    because: 'mutants run on SQLite; the contract of leases on MariaDB notices it',
    mutants: [
      [
        'src/platform/database/leases/lease-rows.ts',
        'LeaseRows.constructor',
        'ConditionalExpression',
        'false',
      ],
      ['src/platform/database/leases/lease-rows.ts', 'LeaseRows.constructor', 'StringLiteral', '""', 2],
    ],
  },
  {
    because:
      'mutants run without it; the contract of the ledger, and the imports of whole services, notice it',
    mutants: [
      ['src/pet-files/application/pet-import.ts', 'PetImport.run', 'ConditionalExpression', 'false'],
      ['src/pet-files/domain/hashes.ts', 'hashOfName', 'StringLiteral', '""'],
      ['src/pet-files/domain/hashes.ts', 'hashOfName', 'StringLiteral', '``'],
    ],
  },
  {
    because:
      'mutants run without it; the tests of modules, of sequences and of the OpenAPI document notice it',
    mutants: [
      ['src/kernel/sequence.ts', 'Sequence.nextMany', 'EqualityOperator', '<='],
      ['src/platform/database/errors.ts', 'translateError', 'ConditionalExpression', 'false'],
      ['src/platform/http/lists/pager.ts', 'paging', 'StringLiteral', '""'],
    ],
  },
  {
    because: 'no key has the scope `undefined`',
    mutants: [['src/access/domain/api-key.ts', 'ApiKey.mayDo', 'ConditionalExpression', 'true']],
  },
  {
    because: 'it is replaced before it is read',
    mutants: [['src/store/application/order-service.ts', 'OrderService.move', 'BooleanLiteral', 'true']],
  },
  {
    because: 'either is far enough from now',
    mutants: [
      ['src/access/application/api-key-service.ts', 'ApiKeyService.#recordUse', 'UnaryOperator', '+Infinity'],
    ],
  },
  {
    because: 'it only decides how soon the next try follows',
    mutants: [['src/platform/database/units/retries.ts', 'Retries.run', 'ArithmeticOperator', '/']],
  },
  {
    because: 'only the first try differs from the others',
    mutants: [['src/platform/database/leases/leases.ts', 'Leases.#take', 'UpdateOperator', 'tries--']],
  },
  {
    because: 'only zero differs from other numbers',
    mutants: [['src/platform/events/outbox.ts', 'Outbox.#deliverInUnits', 'AssignmentOperator', '-=']],
  },
  {
    because: 'a clock with fractions of a millisecond never shows exactly that time',
    mutants: [
      ['src/platform/database/leases/leases.ts', 'Leases.#take', 'EqualityOperator', '<='],
      ['src/platform/database/leases/leases.ts', 'Leases.#renew', 'EqualityOperator', '>'],
      ['src/platform/database/units/retries.ts', 'Retries.run', 'EqualityOperator', '>='],
    ],
  },
  {
    because: 'it only frees memory',
    mutants: [
      ['src/platform/database/leases/leases.ts', 'Leases.run', 'ArrowFunction', 'undefined'],
      ['src/platform/http/lists/read-coalescer.ts', 'ReadCoalescer.#begin', 'ConditionalExpression', 'false'],
    ],
  },
  {
    because: 'without groups every rule is included anyway',
    mutants: [['src/platform/http/validation/problems.ts', 'rulesOf', 'BooleanLiteral', 'true', 2]],
  },
  {
    because: 'a function that ends returns `undefined`',
    mutants: [['src/platform/http/lists/sort-value.ts', 'parseJsonString', 'BlockStatement', '{}']],
  },
  {
    because: 'no field has a hyphen in its name',
    mutants: [['src/platform/http/lists/listing.ts', 'orderOf', 'Regex', '/-/']],
  },
  {
    because: 'the only hyphen of such a text is its first character',
    mutants: [['src/platform/http/validation/decimal-field.ts', 'DecimalField', 'Regex', '/-']],
  },
  {
    because: 'nobody registers a schema for class-validator by a name',
    mutants: [
      ['src/platform/http/validation/problems.ts', 'rulesOf', 'StringLiteral', '"Stryker was here!"'],
    ],
  },
  {
    because: 'callers only look for the two other words',
    mutants: [['src/platform/database/leases/lease-rows.ts', 'LeaseRows.take', 'StringLiteral', '""', 2]],
  },
  {
    because: 'no test reads the debug log, or the name of the part that logs',
    mutants: [
      ['src/platform/database/leases/leases.ts', 'Leases.#run', 'ArrowFunction', 'undefined'],
      ['src/platform/database/leases/leases.ts', 'Leases.#renew', 'ArrowFunction', 'undefined'],
      ['src/platform/events/outbox.ts', 'Outbox.constructor', 'StringLiteral', '""'],
    ],
  },
  {
    because: 'only the existence of the mark is read',
    mutants: [['src/platform/http/validation/query-cache.ts', 'cachedQueryClass', 'BooleanLiteral', 'false']],
  },
  {
    because: 'nobody marks the class of a body',
    mutants: [
      [
        'src/platform/http/validation/validation.pipe.ts',
        'DtoValidationPipe.transform',
        'ConditionalExpression',
        'true',
      ],
    ],
  },
  {
    because: 'it only spares work: the slow way has the same result',
    mutants: [
      ['src/platform/database/leases/lease-rows.ts', 'LeaseRows.take', 'ConditionalExpression', 'true', 2],
      ['src/platform/database/leases/lease-rows.ts', 'LeaseRows.release', 'ConditionalExpression', 'true'],
      ['src/platform/json/write-json.ts', 'quotedName', 'ConditionalExpression', 'false', 2],
      ['src/platform/json/write-json.ts', 'quotedName', 'ConditionalExpression', 'true'],
      ['src/platform/json/write-json.ts', 'quotedName', 'EqualityOperator', '<='],
      ['src/platform/json/write-json.ts', 'quotedName', 'EqualityOperator', '>='],
      ['src/platform/json/write-json.ts', 'quotedName', 'EqualityOperator', '<'],
      ['src/platform/json/write-json.ts', 'quotedName', 'EqualityOperator', '>'],
      ['src/platform/http/lists/pager.ts', 'Pager.#page', 'ConditionalExpression', 'true'],
      ['src/platform/http/lists/pager.ts', 'Pager.#page', 'ConditionalExpression', 'false'],
      ['src/platform/http/validation/once-per-class.ts', 'oncePerClass', 'ConditionalExpression', 'false'],
      ['src/kernel/text.ts', 'textProblems', 'ConditionalExpression', 'true', 2],
      ['src/kernel/text.ts', 'textProblems', 'ConditionalExpression', 'false'],
      ['src/kernel/text.ts', 'textProblems', 'EqualityOperator', '<='],
      ['src/kernel/text.ts', 'textProblems', 'EqualityOperator', '>='],
      ['src/platform/database/batch.ts', 'Batch.#schedule', 'ConditionalExpression', 'false', 2],
      ['src/platform/database/batch.ts', 'Batch.#schedule', 'LogicalOperator', '&&'],
      ['src/platform/database/batch.ts', 'Batch.#schedule', 'EqualityOperator', '>'],
      ['src/platform/database/batch.ts', 'Batch.#schedule', 'BooleanLiteral', 'false'],
      ['src/platform/database/batch.ts', 'Batch.#start', 'ConditionalExpression', 'true'],
      ['src/platform/events/outbox.ts', 'Outbox.#deliverInUnits', 'ConditionalExpression', 'false'],
      ['src/platform/json/json-number.ts', 'readNumber', 'ConditionalExpression', 'false'],
      ['src/platform/json/parse-json.ts', 'JsonReader.#string', 'BooleanLiteral', 'true'],
      ['src/platform/json/parse-json.ts', 'JsonReader.#object', 'ConditionalExpression', 'true', 2],
      ['src/platform/json/parse-json.ts', 'JsonReader.#object', 'EqualityOperator', '>='],
      [
        'src/platform/http/validation/untaken-integers.ts',
        'withUntakenIntegers',
        'ConditionalExpression',
        'false',
      ],
      ['src/platform/http/validation/validation.pipe.ts', 'rejection', 'MethodExpression', ''],
    ],
  },
  {
    because: 'the member itself is not this integer',
    mutants: [['src/platform/json/parse-json.ts', 'JsonReader.#keep', 'ConditionalExpression', 'true']],
  },
  {
    because: 'without an own member, nothing that is read is this integer',
    mutants: [
      ['src/platform/http/validation/untaken-integers.ts', 'memberOf', 'ConditionalExpression', 'false'],
    ],
  },
  {
    because: 'a field without rules has no problem except that it is unknown',
    mutants: [['src/platform/http/validation/untaken-integers.ts', 'placeIn', 'BooleanLiteral', 'true']],
  },
  {
    because: 'a query and a path have only texts, in which nothing is rounded',
    mutants: [
      [
        'src/platform/http/validation/validation.pipe.ts',
        'DtoValidationPipe.judge',
        'ConditionalExpression',
        'true',
      ],
    ],
  },
  {
    because: 'the text has no constraints, so it is no problem',
    mutants: [
      [
        'src/platform/http/validation/validation.pipe.ts',
        'DtoValidationPipe.#validate',
        'ArrayDeclaration',
        '["Stryker was here"]',
      ],
    ],
  },
  {
    because: 'no field has this name',
    mutants: [
      ['src/platform/http/lists/listing.ts', 'listingOf', 'ArrayDeclaration', '["Stryker was here"]'],
    ],
  },
  {
    because: 'any word but one has this effect',
    mutants: [
      ['src/platform/http/lists/sort-value.ts', 'writeSortValue', 'StringLiteral', '""'],
      ['src/platform/database/leases/lease-rows.ts', 'LeaseRows.all', 'StringLiteral', '""'],
    ],
  },
  {
    because: 'the text `undefined 00:00:00` is not an instant either',
    mutants: [['src/platform/http/lists/sort-value.ts', 'PARSERS', 'ConditionalExpression', 'true']],
  },
  {
    because: 'no other error is transient',
    mutants: [['src/platform/database/units/retries.ts', 'Retries.run', 'ConditionalExpression', 'false']],
  },
  {
    because: 'the process of the tests goes on anyway',
    mutants: [
      ['src/platform/database/leases/leases.ts', 'Leases.beforeApplicationShutdown', 'ObjectLiteral', '{}'],
      [
        'src/platform/database/leases/leases.ts',
        'Leases.beforeApplicationShutdown',
        'BooleanLiteral',
        'true',
      ],
    ],
  },
  {
    because: 'it only decides how soon the next round follows',
    mutants: [['src/platform/events/outbox.ts', 'Outbox.#deliverOne', 'BooleanLiteral', 'false']],
  },
];
