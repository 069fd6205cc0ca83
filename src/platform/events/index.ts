// The door of this room. Modules record and hear events by `Events` of the kernel; this is for what empties the outbox.

/** Delivers what was recorded, as a job does twice a second. */
export { Outbox } from './outbox.js';
