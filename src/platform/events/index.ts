// The door of this room. Modules record and hear events by `Events` of the kernel; this is for what empties the outbox.

/** Delivers what was recorded, as it is done every second. */
export { Outbox } from './outbox.js';
