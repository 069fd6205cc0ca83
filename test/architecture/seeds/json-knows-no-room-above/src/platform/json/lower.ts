import { UPPER } from '../config/upper.js';

export const LOWER = UPPER;
