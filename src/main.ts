import { load } from './platform/ops/process/load.js';

await load(() => import('./service.js'));
