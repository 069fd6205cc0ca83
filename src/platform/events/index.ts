// The public API of this room. Modules record events and subscribe to them by `Events` of the kernel. This is only for code that
// delivers them itself.

/** Delivers recorded events, as a job does twice a second. */
export { Outbox } from './outbox.js';
