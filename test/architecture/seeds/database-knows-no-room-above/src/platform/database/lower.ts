import { UPPER } from '../events/upper.js';

export const LOWER = UPPER;
