import { Transform } from 'class-transformer';
import { IsString, Matches } from 'class-validator';
import { field, type FieldNotes } from './dto.decorators.js';

/**
 * A field with an exact number, such as money. It is a text in JSON and in the DTO, such as '12.50', because most programs read a
 * JSON number as a double. It has at most `precision` digits, and `scale` of them, at least 1, are behind the point. The DTO has all
 * digits behind the point, and a client may leave out zeros at the end. If all digits are behind the point, only 0 is before it. A
 * `signed` field may be negative. @throws RangeError for a precision and a scale that contradict each other
 */
export function DecimalField({
  precision,
  scale,
  signed = false,
  ...notes
}: FieldNotes<string> & { precision: number; scale: number; signed?: boolean }) {
  const digitsBefore = precision - scale;
  if (!Number.isInteger(precision) || !Number.isInteger(scale) || scale < 1 || digitsBefore < 0)
    throw new RangeError(
      `A DecimalField cannot have precision ${precision} and scale ${scale}. Write whole numbers: a scale of 1 or more, and at least as many digits in all.`,
    );
  const sign = signed ? '-?' : '';
  const whole = digitsBefore > 0 ? `(?:0|[1-9]\\d{0,${digitsBefore - 1}})` : '0';
  const number = new RegExp(`^${sign}${whole}(?:\\.\\d{1,${scale}})?$`);
  const complete = (text: string) => {
    const [before, fraction = ''] = text.split('.');
    return `${before}.${fraction.padEnd(scale, '0')}`.replace(/^-(?=[0.]+$)/, '');
  };
  const most = digitsBefore > 0 ? `at most ${digitsBefore} digits` : 'only 0';
  const behind = digitsBefore > 0 ? scale : `at most ${scale} digits`;
  const message = `$property must be a decimal number as a text, ${signed ? '' : 'not negative, '}with ${most} before the point and ${behind} behind it`;
  return field(
    notes,
    { type: 'string', pattern: number.source },
    IsString(),
    Matches(number, { message }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && number.test(value) ? complete(value) : value,
    ),
  );
}
