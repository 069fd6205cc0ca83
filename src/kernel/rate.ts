const FORM = /^([1-9]\d{0,8})\/(s|m|h)$/;
const SECONDS = { s: 1, m: 60, h: 3_600 };

/** How often something may happen: `limit` times in each window of `seconds`. */
export interface Rate {
  readonly limit: number;
  readonly seconds: number;
}

export const RATE_FORM = 'a number per second, minute or hour, such as 100/s, 600/m or 5000/h';

/** Parses a rate such as `100/s`. @returns undefined if the text is not a rate */
export function parseRate(text: string): Rate | undefined {
  const [, limit, unit] = FORM.exec(text) ?? [];
  return limit === undefined
    ? undefined
    : { limit: Number(limit), seconds: SECONDS[unit as keyof typeof SECONDS] };
}

export function formatRate({ limit, seconds }: Rate): string {
  const units = Object.keys(SECONDS) as (keyof typeof SECONDS)[];
  return `${limit}/${units.find((unit) => SECONDS[unit] === seconds)}`;
}
