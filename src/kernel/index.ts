// The door of the kernel: plain TypeScript that every domain may use.

/** The time, for whoever asks for it in a constructor. */
export { Clock } from './clock.js';
/** What refusals extend, and the one for input that breaks a rule, with its problems. */
export { DomainError, InvalidInput, type Problem } from './domain-error.js';
/** Types of events, and the port by which modules record and hear them. */
export { Events, EventType } from './events.js';
/** Ids and other exact integers: a bigint. */
export { Int64 } from './int64.js';
/** Which page of a list is asked for, and what it has. */
export { type Page, pageOf, type Position, type Selection } from './page.js';
/** What an entity stores: its properties, without its methods. */
export type { Properties } from './properties.js';
/** Unpredictable bytes, for whoever asks for them in a constructor. */
export { RandomSource } from './random-source.js';
/** How often something may be done, such as `100/s`. */
export { formatRate, parseRate, type Rate, RATE_FORM } from './rate.js';
/** The ids of new things. */
export { Sequence } from './sequence.js';
/** The problems of a text for people. */
export { validateText } from './text.js';
/** Makes several steps one: all are stored, or none. */
export { UnitOfWork } from './unit-of-work.js';
