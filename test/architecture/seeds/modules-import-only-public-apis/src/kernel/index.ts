export type { Int64 } from './int64.js';
