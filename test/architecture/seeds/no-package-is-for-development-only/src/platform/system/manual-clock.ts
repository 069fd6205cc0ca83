import { vi } from 'vitest';

export const now = vi.fn();
