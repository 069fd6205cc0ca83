import { describe, expect, it } from 'vitest';
import { readTraceParent, writeTraceParent } from '../../../../src/platform/observability/trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it('tells trace, span and flags, and is written as it was read', () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    const parent = readTraceParent(text)!;
    expect(parent).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1 });
    expect(writeTraceParent(parent)).toBe(text);
  });

  it('of a later version may say more; what we do not know we do not pass on', () => {
    const parent = readTraceParent(`cc-${TRACE}-${SPAN}-ff-what-the-future-will-be-like`)!;
    expect(writeTraceParent(parent)).toBe(`00-${TRACE}-${SPAN}-03`);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['the version ff', `ff-${TRACE}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace id that is too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a span id that is too long', `00-${TRACE}-${SPAN}0-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
    ['more than our version has', `00-${TRACE}-${SPAN}-01-more`],
    ['a later version without its hyphen', `cc-${TRACE}-${SPAN}-01.more`],
    ['digits that are none', `00-${TRACE.replace('a', 'g')}-${SPAN}-01`],
    ['two of them', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])('is ignored if it is %s', (_, text) => {
    expect(readTraceParent(text)).toBeUndefined();
  });
});
