// The door of this room: what a module may use.

/** A channel on which a module publishes what it does, without knowing who listens. */
export { channel } from './channel.js';
/** Counters and gauges of a module: `metrics.counter(...)`, `metrics.gauge(...)`. */
export { Metrics } from './metrics/metrics.js';
