import { trace } from '@opentelemetry/api';

export const isFollowed = () => trace.getActiveSpan() !== undefined;
