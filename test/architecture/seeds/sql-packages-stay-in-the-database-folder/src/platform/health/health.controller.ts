import type { DataSource } from 'typeorm';

export const isAlive = (source: DataSource) => source.isInitialized;
