import { UPPER } from '../http/upper.js';

export const LOWER = UPPER;
