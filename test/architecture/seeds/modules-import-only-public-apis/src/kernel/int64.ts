export type Int64 = bigint;
