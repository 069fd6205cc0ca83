const ADDED = /^ALTER TABLE `([^`]+)` ADD (?:COLUMN )?`([^`]+)` (.*)$/s;
const TEXT = /'(?:[^'\\]|\\.|'')*'/gs;
const FILLED = /\b(?:DEFAULT|AUTO_INCREMENT|AS)\b/;

/**
 * The columns, as sentences, for which existing rows have no value: NOT NULL without a default, added by these statements of
 * MySQL. SQLite then refuses the migration; MySQL fills in '' or 0, which may be no value of the domain.
 */
export function unfilledColumns(statements: readonly string[]): string[] {
  return statements.flatMap((statement) => {
    const [, table, column, definition = ''] = ADDED.exec(statement) ?? [];
    const words = definition.replaceAll(TEXT, '');
    if (!words.includes('NOT NULL') || FILLED.test(words)) return [];
    return `${column} of ${table} is NOT NULL without a default: existing rows need a value`;
  });
}
