import { expect, it } from 'vitest';
import { traceIdOf } from '../../../../src/platform/http/trace-id.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

it.each([
  `00-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-00`,
  `cc-${TRACE}-${PARENT}-01-what-comes-later`,
])('a valid traceparent names its trace: %s', (traceparent) => {
  expect(traceIdOf(traceparent)).toBe(TRACE);
});

it.each([
  undefined,
  '',
  TRACE,
  `ff-${TRACE}-${PARENT}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}-012`,
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
])('any other names none: %s', (traceparent) => {
  expect(traceIdOf(traceparent)).toBeUndefined();
});
