import { AsyncLocalStorage } from 'node:async_hooks';

// As long as one of them is in use, which ends with `disable()` only, Node 20 and 22 call a hook for every promise.
new AsyncLocalStorage().run(true, () => undefined);

export { JoiningDataSource } from '../../../dist/platform/database/data-source.js';
