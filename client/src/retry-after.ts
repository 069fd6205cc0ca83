/**
 * How many seconds `Retry-After` asks to wait (RFC 9110 section 10.2.3): it says so, or names a date.
 * Undefined without the header, or if it cannot be read.
 */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
