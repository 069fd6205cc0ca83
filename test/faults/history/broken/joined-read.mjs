// A service whose requests join a read that is already in flight, and miss what was stored since it began.
import { ReadCoalescer } from '../../../../dist/platform/http/lists/read-coalescer.js';

const running = new Map();

ReadCoalescer.prototype.get = function (key, read) {
  if (!running.has(key))
    running.set(
      key,
      read().finally(() => running.delete(key)),
    );
  return running.get(key);
};
