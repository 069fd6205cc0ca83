/** As both engines write an instant in UTC. SQLite may have less than three digits behind the point, MySQL has up to six. */
const TEXT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?$/;

/**
 * An instant with the text that the database has for it. A `Date` alone does not find its row again, because it has no microseconds,
 * and because SQLite compares texts.
 */
export class StoredInstant extends Date {
  private constructor(readonly text: string) {
    super(`${text.replace(' ', 'T')}Z`);
  }

  /** @returns undefined if the text is not an instant */
  static of(text: string): StoredInstant | undefined {
    const [, day, time] = TEXT.exec(text) ?? [];
    const instant = new StoredInstant(text);
    // A day that its month does not have would become another day.
    const isExact = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${day}T${time}`);
    return isExact ? instant : undefined;
  }
}
