export { AccessModule } from './access.module.js';
export { BearerGuard } from './adapters/http/bearer.guard.js';
export { RateGuard } from './adapters/http/rate.guard.js';
export { BootstrapKeys } from './application/bootstrap-keys.js';
export type { IssuedKey } from './application/issued-key.js';
export { ApiKeyService } from './application/api-key-service.js';
export { keysCommand } from './adapters/cli/keys.command.js';
