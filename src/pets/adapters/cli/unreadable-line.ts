import type { Problem } from '../../../kernel/domain-error.js';
import type { Line } from '../../../platform/files/lines.js';

/** So many bytes a line may have: a good pet needs 4,000 at most, each character of its name escaped. */
export const MAX_LINE_BYTES = 65_536;

const FAULTS: Record<Extract<Line, { fault: unknown }>['fault'], Problem> = {
  too_long: { field: '', code: 'too_long', message: `is longer than ${MAX_LINE_BYTES} bytes` },
  no_utf8: { field: '', code: 'malformed_text', message: 'is not valid UTF-8' },
};

export const unreadable = ({ fault }: Extract<Line, { fault: unknown }>): Problem[] => [FAULTS[fault]];
