export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const ENDINGS: Readonly<Record<string, Format>> = { csv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson' };

/** What the name of a file says of its format; `.gz` at its end says nothing. */
export function formatOf(file: string): Format | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return ENDINGS[ending];
}
