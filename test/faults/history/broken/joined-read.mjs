// A service whose requests join a read that has begun, and miss what was stored since.
import { ReadCoalescer } from '../../../../dist/platform/http/paging/read-coalescer.js';

const running = new Map();

ReadCoalescer.prototype.get = function (key, read) {
  if (!running.has(key))
    running.set(
      key,
      read().finally(() => running.delete(key)),
    );
  return running.get(key);
};
