/** W3C Trace Context section 3.2: version, trace, parent, flags; later versions may add to it, `ff` and zeros are invalid. */
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** The trace that a request belongs to, if its `traceparent` is valid. */
export const traceIdOf = (traceparent: string | string[] | undefined): string | undefined =>
  typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
