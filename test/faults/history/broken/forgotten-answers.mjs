// A service that does not store its responses, so a retried request is executed again.
import 'reflect-metadata';
import { IdempotencyStore } from '../../../../dist/platform/http/idempotency/idempotency-store.js';

IdempotencyStore.prototype.add = () => Promise.resolve();
