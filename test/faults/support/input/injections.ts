const BREAKS = [...String.raw`' " \' '' ') ')) "; 1 1) \ %27 ʼ ＇ ¿' /*`.split(' '), '`'];

const PAYLOADS = [
  ` OR 1=1`,
  ` OR '1'='1`,
  ` OR ''='`,
  ` UNION SELECT secret_hash, secret_hash, 1, 'sold' FROM api_keys`,
  ` UNION ALL SELECT 1, secret_hash, 7, 'available' FROM api_keys`,
  `; DROP TABLE pets`,
  `; DELETE FROM pets`,
  `; UPDATE pets SET name = 'owned'`,
  `; INSERT INTO pets VALUES (999999, 'owned', 1, 'sold')`,
  ` AND (SELECT COUNT(*) FROM api_keys) > 0`,
  ` AND SLEEP(3)`,
  ` OR id IS NOT NULL LIMIT 1 OFFSET 0`,
];

const ENDS = ['', ' -- ', ' #', ' /*', `;\u0000`];

/** Texts that do not fit the lists above. */
const OTHERS = [
  `' OR 1=1 INTO OUTFILE '/tmp/owned' -- `,
  `'||(SELECT secret_hash FROM api_keys)||'`,
  `' AND EXTRACTVALUE(1, CONCAT(0x7e, (SELECT secret_hash FROM api_keys))) -- `,
  `1; ATTACH DATABASE '/tmp/owned.db' AS owned; -- `,
  `1; PRAGMA writable_schema = 1; -- `,
  `\\'; DROP TABLE pets; -- `,
  `\\\\'; DROP TABLE pets; -- `,
  `\ufeff' OR 1=1 -- `,
  `?`,
  `:id`,
  `@id`,
  `\${id}`,
  `{"$gt": ""}`,
  `0x27204f5220313d31`,
  `CHAR(39) OR 1=1`,
];

/** Two hundred texts that would have an effect if they became part of a statement. */
export const INJECTIONS: readonly string[] = [
  ...OTHERS,
  ...Array.from({ length: 200 - OTHERS.length }, (_, i) => {
    // The three lengths have no common divisor, which would exclude combinations.
    const [a, b, c] = [
      i % BREAKS.length,
      (i + Math.floor(i / BREAKS.length)) % PAYLOADS.length,
      (i * 3) % ENDS.length,
    ];
    return BREAKS[a]! + PAYLOADS[b]! + ENDS[c]!;
  }),
];
