export const MAX_PIECES = 7;
