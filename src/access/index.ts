export { AccessModule } from './access.module.js';
export { BearerGuard } from './adapters/http/bearer.guard.js';
export { FirstKeys } from './application/first-keys.js';
export { KeyRing } from './application/key-ring.js';
export { keysCommand } from './adapters/cli/keys.command.js';
