// The public API of the kernel: plain TypeScript that every domain may use.

/** The current time. Inject it through a constructor. */
export { Clock } from './clock.js';
/** The base class of all errors of a domain, and the error for input that breaks rules, with its problems. */
export { DomainError, InvalidInput, type Problem } from './domain-error.js';
/** Types of events, the port by which modules record events and subscribe to them, and one try to deliver an event. */
export { type Delivery, Events, EventType } from './events.js';
/** Ids and other exact integers: a bigint. */
export { Int64 } from './int64.js';
/** The position and selection of a requested page, and the page itself. */
export { type Page, pageOf, type Position, type Selection } from './page.js';
/** What an entity stores: its properties, without its methods. `hasValues` is true if it already has the values of a change. */
export { hasValues, type Properties } from './properties.js';
/** Unpredictable bytes. Inject the source through a constructor. */
export { RandomSource } from './random-source.js';
/** How often something may happen, such as `100/s`. */
export { formatRate, parseRate, type Rate, RATE_FORM } from './rate.js';
/** Assigns the ids of new entities. */
export { Sequence } from './sequence.js';
/** The problems of a text that people read, such as a name. */
export { validateText } from './text.js';
/** Stores several steps together or not at all. */
export { UnitOfWork } from './unit-of-work.js';
