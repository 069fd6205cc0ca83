export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const ENDINGS: Readonly<Record<string, Format>> = { csv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson' };

/** The format that a file name suggests; an ending `.gz` is ignored. */
export function formatOf(file: string): Format | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return ENDINGS[ending];
}
