import { UPPER } from '../ops/upper.js';

export const LOWER = UPPER;
