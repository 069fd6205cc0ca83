const UNITS: Record<string, number> = { '': 1, b: 1, kb: 1024, mb: 1024 * 1024 };

/** The number of bytes of a size such as `100kb`, `2mb` or `500`; NaN if the text is not a size. */
export function bytesOf(text: string): number {
  const [, digits, unit] = /^(\d{1,9})\s*(b|kb|mb)?$/i.exec(text) ?? [];
  return Number(digits) * (UNITS[unit?.toLowerCase() ?? ''] ?? Number.NaN);
}
