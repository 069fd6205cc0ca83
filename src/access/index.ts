export { AccessModule } from './access.module.js';
export { BearerGuard } from './adapters/http/bearer.guard.js';
export { RateGuard } from './adapters/http/rate.guard.js';
export { FirstKeys } from './application/first-keys.js';
export type { IssuedKey } from './application/issued-key.js';
export { KeyRing } from './application/key-ring.js';
export { keysCommand } from './adapters/cli/keys.command.js';
