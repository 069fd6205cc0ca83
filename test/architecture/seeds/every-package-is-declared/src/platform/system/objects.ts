import { __rest } from 'tslib';

export const without = __rest;
