import { UPPER } from '../database/upper.js';

export const LOWER = UPPER;
