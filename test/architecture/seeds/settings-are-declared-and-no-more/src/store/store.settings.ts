import { MAX_PIECES } from './domain/order.js';

export const pieces = MAX_PIECES;
