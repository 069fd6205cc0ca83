export { AccessModule } from './access.module.js';
export { BearerGuard } from './adapters/http/bearer.guard.js';
export { AccessSettings } from './access.settings.js';
export { ApiKeyService, type IssuedKey } from './application/api-key-service.js';
