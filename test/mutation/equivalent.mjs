const DELAY = 'Math.random() * backOff(tries, DELAY)';
const LATE = 'performance.now() - startedAt + delay > MAX_RETRY_TIME_MS';
const BUSY = 'this.#running >= this.options.maxConcurrent';
const QUOTED = 'QUOTED_KEY.exec(text)?.[1]?.replaceAll';
const KEEPS = 'NAMES.size < MAX_NAMES && name.length <= MAX_LENGTH';
const SCHEDULED = `this.#scheduled || ${BUSY}`;

/**
 * Mutants that no test of this run can notice, by the reason why: the file, what Stryker replaces, and by what.
 * `npm run test:mutation` lists the survivors that are not here.
 */
export const EQUIVALENT = [
  {
    because: 'no element of the list is read but those that a match would have',
    mutants: [
      ['src/kernel/rate.ts', '[]', '["Stryker was here"]'],
      ['src/pet-files/application/pet-import.ts', '[]', '["Stryker was here"]'],
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
    because: 'neither text is a code, an id or a word that is looked for',
    mutants: [
      ['src/pet-files/application/pet-import.ts', "''", '"Stryker was here!"'],
      ['src/platform/database/error-table.ts', "''", '"Stryker was here!"'],
      ['src/platform/database/errors.ts', "''", '"Stryker was here!"'],
      ['src/platform/http/lists/cursor.ts', "''", '"Stryker was here!"'],
      ['src/platform/http/lists/listing.ts', "''", '"Stryker was here!"'],
    ],
  },
  {
    because: 'what is looked for is always there',
    mutants: [
      ['src/platform/http/lists/listing.ts', 'sort?.by', 'sort.by'],
      ['src/platform/http/routes.ts', '[]', '["Stryker was here"]'],
      ['src/platform/http/idempotency/idempotency.ts', QUOTED, QUOTED.replace('?.replaceAll', '.replaceAll')],
    ],
  },
  {
    because: 'mutants run on SQLite; the contract of leases on MariaDB notices it',
    mutants: [
      ['src/platform/database/leases/lease-rows.ts', "source.options.type === 'mysql'", 'false'],
      ['src/platform/database/leases/lease-rows.ts', "'mysql'", '""'],
    ],
  },
  {
    because:
      'mutants run without it; the contract of the ledger, and the imports of whole services, notice it',
    mutants: [
      ['src/pet-files/application/pet-import.ts', 'name === undefined', 'false'],
      ['src/pet-files/domain/hashes.ts', "'sha256'", '""'],
      ['src/pet-files/domain/hashes.ts', '`resume:${name}`', '``'],
    ],
  },
  {
    because: 'it is replaced before it is read',
    mutants: [['src/store/application/order-service.ts', 'false', 'true']],
  },
  {
    because: 'either is far enough from now',
    mutants: [['src/access/application/api-key-service.ts', '-Infinity', '+Infinity']],
  },
  {
    because: 'it only decides how soon the next try follows',
    mutants: [['src/platform/database/retries.ts', DELAY, DELAY.replace(' * Math', ' / Math')]],
  },
  {
    because: 'only the first try is told from the others',
    mutants: [['src/platform/database/leases/leases.ts', 'tries++', 'tries--']],
  },
  {
    because: 'only none is told from some',
    mutants: [['src/platform/events/outbox.ts', 'taken += 1', 'taken -= 1']],
  },
  {
    because: 'a clock with fractions of a millisecond never shows exactly that time',
    mutants: [
      [
        'src/platform/database/leases/leases.ts',
        'performance.now() - askedAt < call.ttl / 3',
        'performance.now() - askedAt <= call.ttl / 3',
      ],
      [
        'src/platform/database/leases/leases.ts',
        'askedAt - renewedAt >= (2 * call.ttl) / 3',
        'askedAt - renewedAt > 2 * call.ttl / 3',
      ],
      ['src/platform/database/retries.ts', LATE, LATE.replace('>', '>=')],
    ],
  },
  {
    because: 'it only frees memory',
    mutants: [
      ['src/platform/database/leases/leases.ts', '() => this.#calls.delete(end)', '() => undefined'],
      ['src/platform/http/lists/read-coalescer.ts', '!reads.pending', 'false'],
    ],
  },
  {
    because: 'without groups every rule is included anyway',
    mutants: [['src/platform/http/validation/problems.ts', 'false', 'true']],
  },
  {
    because: 'a function that ends answers `undefined`',
    mutants: [['src/platform/http/lists/listing.ts', '{\n    return undefined;\n  }', '{}']],
  },
  {
    because: 'no list has a sort key called `id`',
    mutants: [
      ['src/platform/http/lists/listing.ts', "sort.by !== 'id'", 'true'],
      ['src/platform/http/lists/listing.ts', "'id'", '""'],
    ],
  },
  {
    because: 'no field has a hyphen in its name, and no such text one but in front',
    mutants: [
      ['src/platform/http/lists/listing.ts', '/^-/', '/-/'],
      ['src/platform/http/validation/dto.decorators.ts', '/^-(?=[0.]+$)/', '/-(?=[0.]+$)/'],
    ],
  },
  {
    because: 'nobody registers a schema for class-validator by a name',
    mutants: [['src/platform/http/validation/problems.ts', "''", '"Stryker was here!"']],
  },
  {
    because: 'only the two other words are told apart',
    mutants: [['src/platform/database/leases/lease-rows.ts', "'held'", '""']],
  },
  {
    because: 'nobody reads the debug log in a test, nor by which name a part logs',
    mutants: [
      [
        'src/platform/database/leases/leases.ts',
        '(error: unknown) => this.#log.debug(String(error))',
        '() => undefined',
      ],
      ['src/platform/events/outbox.ts', "'Events'", '""'],
    ],
  },
  {
    because: 'only whether it is marked is asked',
    mutants: [
      ['src/platform/http/validation/query-cache.ts', 'true', 'false'],
      ['src/platform/json/parse-json.ts', 'true', 'false'],
    ],
  },
  {
    because: 'nobody marks the class of a body',
    mutants: [['src/platform/http/validation/validation.pipe.ts', "type === 'query'", 'true']],
  },
  {
    because: 'it only spares work: the slow way has the same result',
    mutants: [
      ['src/platform/database/leases/lease-rows.ts', 'once !== undefined', 'true'],
      ['src/platform/json/write-json.ts', 'known !== undefined', 'false'],
      ['src/platform/json/write-json.ts', KEEPS, 'false'],
      ['src/platform/json/write-json.ts', 'NAMES.size < MAX_NAMES', 'NAMES.size <= MAX_NAMES'],
      ['src/platform/json/write-json.ts', 'NAMES.size < MAX_NAMES', 'NAMES.size >= MAX_NAMES'],
      ['src/platform/json/write-json.ts', 'name.length <= MAX_LENGTH', 'true'],
      ['src/platform/json/write-json.ts', 'name.length <= MAX_LENGTH', 'name.length < MAX_LENGTH'],
      ['src/platform/json/write-json.ts', 'name.length <= MAX_LENGTH', 'name.length > MAX_LENGTH'],
      ['src/platform/http/lists/pager.ts', 'isShared', 'true'],
      ['src/platform/http/lists/pager.ts', 'isShared', 'false'],
      ['src/platform/http/validation/problems.ts', 'known', 'false'],
      ['src/kernel/text.ts', 'text.length < 2 * minLength', 'true'],
      ['src/kernel/text.ts', 'text.length < 2 * minLength', 'text.length <= 2 * minLength'],
      ['src/kernel/text.ts', 'text.length > 2 * maxLength', 'false'],
      ['src/kernel/text.ts', 'text.length > maxLength', 'true'],
      ['src/kernel/text.ts', 'text.length > maxLength', 'text.length >= maxLength'],
      ['src/platform/database/batch.ts', SCHEDULED, 'false'],
      ['src/platform/database/batch.ts', SCHEDULED, SCHEDULED.replace('||', '&&')],
      ['src/platform/database/batch.ts', BUSY, 'false'],
      ['src/platform/database/batch.ts', BUSY, BUSY.replace('>=', '>')],
      ['src/platform/database/batch.ts', 'true', 'false'],
      ['src/platform/database/batch.ts', 'batchBegun.hasSubscribers', 'true'],
      ['src/platform/events/outbox.ts', 'this.#isStopped', 'false'],
      ['src/platform/json/json-number.ts', 'USUAL.test(literal)', 'false'],
      ['src/platform/json/parse-json.ts', 'false', 'true'],
    ],
  },
];
