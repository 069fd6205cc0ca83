import type { Registry } from 'prom-client';

export const isWatched = (registry: Registry) => registry.getMetricsAsArray().length > 0;
