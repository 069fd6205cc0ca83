import { AsyncLocalStorage } from 'node:async_hooks';

// While an AsyncLocalStorage is in use, which ends only with `disable()`, Node 20 and 22 call a hook for every promise.
new AsyncLocalStorage().run(true, () => undefined);

export { JoiningDataSource } from '../../../dist/platform/database/data-source.js';
