/** A text as a cell of a CSV record, always in quotes (RFC 4180 section 2). */
export const csvCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
