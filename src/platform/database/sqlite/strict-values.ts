import type { ColumnType } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { ApplyValueTransformers } from 'typeorm/util/ApplyValueTransformers.js';
import { DateUtils } from 'typeorm/util/DateUtils.js';

/** Converts a value that is stored or read. It is never called with null. */
type Conversion = (value: unknown, column: ColumnMetadata) => unknown;

/** How SQLite keeps the values of a type of MySQL. */
interface Kept {
  /** The type for which TypeORM's driver of SQLite does the same as its driver of MySQL. */
  readonly as?: ColumnType;
  readonly to?: Conversion;
  readonly from?: Conversion;
}

const decimal: Kept = {
  to: rounded,
  from: (stored, { scale }) => Number(stored).toFixed(scale ?? 0),
};
const instant: Kept = { as: 'datetime' };
const char: Kept = { to: (value) => (typeof value === 'string' ? value.replace(/ +$/, '') : value) };
const bytes: Kept = { to: inBytes };

/** The conversions by the type of the column. Other types need no conversion. */
const KEPT: Readonly<Record<string, Kept>> = {
  bigint: { from: String },
  decimal,
  dec: decimal,
  numeric: decimal,
  fixed: decimal,
  bool: { as: 'boolean' },
  datetime: instant,
  timestamp: instant,
  Date: instant,
  time: { to: fullTime },
  char,
  nchar: char,
  'national char': char,
  enum: { as: 'simple-enum' },
  binary: { to: paddedBytes },
  varbinary: bytes,
  tinyblob: bytes,
  blob: bytes,
  mediumblob: bytes,
  longblob: bytes,
  Buffer: bytes,
};

/** Changes a column of the metadata so that SQLite stores its values, and returns them, as MySQL does. */
export function keepAsMySql(column: ColumnMetadata): void {
  const name = typeof column.type === 'function' ? column.type.name : column.type;
  const kept = KEPT[name];
  if (!kept) return;
  const { as = column.type, to, from } = kept;
  const own = column.transformer;
  column.type = as;
  if (!to && !from) return;
  const converted = (value: unknown, by: Conversion | undefined) =>
    value === null || value === undefined || !by ? value : by(value, column);
  column.transformer = {
    to: (value: unknown) => converted(own ? ApplyValueTransformers.transformTo(own, value) : value, to),
    from: (stored: unknown) => {
      const value = converted(stored, from);
      return own ? (ApplyValueTransformers.transformFrom(own, value) as unknown) : value;
    },
  };
}

/** Rounds halves away from zero. @throws RangeError for a number with too many digits, which MySQL rejects */
function rounded(value: unknown, column: ColumnMetadata): unknown {
  const precision = column.precision ?? 10;
  const scale = column.scale ?? 0;
  const outOfRange = () =>
    new RangeError(`Out of range value for ${column.propertyName}, a decimal(${precision}, ${scale}).`);
  if (Math.abs(Number(value)) >= 10 ** (precision - scale)) throw outOfRange();
  const text = /e/i.test(String(value)) ? Number(value).toFixed(scale) : String(value);
  const [, sign = '', whole = '', fraction = ''] = /^\+?(-?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  // SQLite rejects a text that is not a number.
  if (whole + fraction === '') return value;
  const tenths = BigInt(whole + fraction.padEnd(scale + 1, '0').slice(0, scale + 1));
  const units = (tenths + 5n) / 10n;
  if (units >= 10n ** BigInt(precision)) throw outOfRange();
  return `${sign}${units}e-${scale}`;
}

/** The text of an instant with the digits of its column. MySQL drops the other digits. */
export function cutInstant(text: string, column: ColumnMetadata): string {
  const ofTypeOrm = column.isCreateDate || column.isUpdateDate || column.isDeleteDate;
  const precision = column.precision ?? (ofTypeOrm ? 3 : 0);
  return text.slice(0, '2026-11-29 12:46:02.'.length + precision).padEnd(text.length, '0');
}

const TIME = /^(-?)(\d+):(\d+)(?::(\d+)(?:\.(\d*))?)?$/;

/** MySQL adds the seconds, and behind them as many digits as the precision has. */
function fullTime(value: unknown, { precision }: ColumnMetadata): unknown {
  const [, sign, hours, minutes, seconds = '', fraction = ''] =
    TIME.exec(String(DateUtils.mixedDateToTimeString(value as Date))) ?? [];
  if (hours === undefined) return value;
  const parts = [hours, minutes!, seconds].map((part) => part.padStart(2, '0')).join(':');
  const digits = precision ? `.${fraction.padEnd(precision, '0').slice(0, precision)}` : '';
  return `${sign}${parts}${digits}`;
}

function inBytes(value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value) : value;
}

function paddedBytes(value: unknown, { length }: ColumnMetadata): unknown {
  const given = inBytes(value);
  if (!(given instanceof Uint8Array)) return given;
  return Buffer.concat([given], Math.max(given.length, Number(length || 1)));
}
