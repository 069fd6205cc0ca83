import { MAX_PIECES } from './application/prices.js';

export const pieces = MAX_PIECES;
