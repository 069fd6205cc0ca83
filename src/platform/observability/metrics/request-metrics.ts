import type { Channel } from '../channel.js';
import { answered, readCoalesced, requestRejected } from '../requests.js';
import type { Metrics } from './metrics.js';

/** In seconds. The service has promised latencies of 0.1 and 0.25. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts requests, their durations, and rejections. `inFlight` returns the number of requests that are being executed. */
export function watchRequests(metrics: Metrics, inFlight: () => number): void {
  const requests = metrics.counter(
    'petstore_http_requests_total',
    'Answered requests, by operation of the document (none: no route took it) and status.',
    'operation',
    'status',
  );
  const durations = metrics.histogram(
    'petstore_http_request_duration_seconds',
    'Time from the headers of a request to its answer, without requests rejected as overloaded.',
    BUCKETS,
    'operation',
  );
  metrics.gauge(
    'petstore_http_requests_in_flight',
    'Requests in progress, without those that wait in line.',
    (gauge) => gauge.set(inFlight()),
  );

  metrics.on(answered, ({ operation, status, duration }) => {
    requests.inc({ operation, status });
    durations.observe({ operation }, duration / 1_000);
  });
  countOutcomes(
    metrics,
    requestRejected,
    'reason',
    ['overloaded', 'connections', 'unreadable'],
    'petstore_http_refused_total',
    'Requests and connections that were not served: too many requests or bytes of bodies (overloaded), too many connections, or not a complete HTTP request (unreadable).',
  );
  countOutcomes(
    metrics,
    readCoalesced,
    'outcome',
    ['led', 'joined'],
    'petstore_shared_reads_total',
    'Requests for lists: the list was read by the request itself (led), or shared with others that asked for the same (joined).',
  );
}

/** Counts requests to deprecated operations by key. `sunsets` are their removal dates by operation, in ms since 1970. */
export function watchDeprecations(metrics: Metrics, sunsets: ReadonlyMap<string, number>): void {
  const uses = metrics.counter(
    'petstore_deprecated_requests_total',
    'Requests to a deprecated operation, by the id of their key.',
    'operation',
    'key',
  );
  metrics.gauge(
    'petstore_deprecated_sunset_timestamp_seconds',
    'When a deprecated operation is removed.',
    (gauge) => {
      for (const [operation, sunset] of sunsets) gauge.set({ operation }, sunset / 1_000);
    },
    { labelNames: ['operation'] },
  );

  metrics.on(answered, ({ operation, keyId }) => {
    if (keyId !== undefined && sunsets.has(operation)) uses.inc({ operation, key: keyId });
  });
}

/** Counts the outcomes that a channel publishes, starting at 0. */
function countOutcomes<Outcome extends string>(
  metrics: Metrics,
  channel: Channel<Outcome>,
  label: string,
  outcomes: readonly Outcome[],
  name: string,
  help: string,
): void {
  const counter = metrics.counter(name, help, label);
  for (const outcome of outcomes) counter.inc({ [label]: outcome }, 0);
  metrics.on(channel, (outcome) => counter.inc({ [label]: outcome }));
}
