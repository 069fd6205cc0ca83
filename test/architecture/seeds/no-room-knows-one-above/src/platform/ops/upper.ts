export const UPPER = 1;
