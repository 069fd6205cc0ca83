export { AccessModule } from './access.module.js';
export { BearerGuard } from './adapters/http/bearer.guard.js';
export { RateGuard } from './adapters/http/rate.guard.js';
export { BootstrapKeys } from './application/bootstrap-keys.js';
export { ApiKeyService, type IssuedKey } from './application/api-key-service.js';
