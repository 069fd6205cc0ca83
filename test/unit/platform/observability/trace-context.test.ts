import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { continueTrace, traceIdOf } from '../../../../src/platform/observability/trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** The trace of a request with this header, and the header of its response. */
function traceOf(traceparent: string | undefined) {
  const request = new IncomingMessage(new Socket());
  if (traceparent !== undefined) request.headers['traceparent'] = traceparent;
  const response = new ServerResponse(request);
  continueTrace(request, response);
  return [traceIdOf(request), response.getHeader('traceparent')];
}

describe('traceparent', () => {
  it('has a trace id and flags, and the response contains a new span id', () => {
    const [trace, answer] = traceOf(`00-${TRACE}-${SPAN}-01`);
    expect([trace, answer]).toEqual([
      TRACE,
      expect.stringMatching(new RegExp(`^00-${TRACE}-(?!${SPAN})[\\da-f]{16}-01$`)),
    ]);
  });

  it('of a later version may be longer, and unknown parts are not passed on', () => {
    const [, answer] = traceOf(`cc-${TRACE}-${SPAN}-ff-what-the-future-will-be-like`);
    expect(answer).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-03$`));
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
    ['longer than its version allows', `00-${TRACE}-${SPAN}-01-more`],
    ['a later version without its hyphen', `cc-${TRACE}-${SPAN}-01.more`],
    ['invalid digits', `00-${TRACE.replace('a', 'g')}-${SPAN}-01`],
    ['two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])('is ignored if it is %s', (_, text) => {
    expect(traceOf(text)).toEqual([undefined, undefined]);
  });
});
