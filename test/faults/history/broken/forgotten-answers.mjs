// A service that does not store its answers, so that what is sent again is done again.
import 'reflect-metadata';
import { IdempotencyStore } from '../../../../dist/platform/http/idempotency/idempotency-store.js';

IdempotencyStore.prototype.add = () => Promise.resolve();
