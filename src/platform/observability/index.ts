// The public API of this room.

/** A channel on which a module publishes what it does, independently of the subscribers. */
export { channel } from './channel.js';
/** Counters and gauges of a module: `metrics.counter(...)`, `metrics.gauge(...)`. */
export { Metrics } from './metrics/metrics.js';
