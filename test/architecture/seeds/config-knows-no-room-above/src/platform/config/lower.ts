import { UPPER } from '../observability/upper.js';

export const LOWER = UPPER;
