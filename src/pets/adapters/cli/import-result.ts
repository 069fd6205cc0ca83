import type { Problem } from '../../../kernel/domain-error.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';
import { printable } from '../../../platform/ops/cli/output.js';
import type { RefusedLine } from '../../application/pet-import.js';
import type { ImportProgress } from '../../ports/import-ledger.js';

/** How an import ended, as `--json` prints it. */
export interface ImportResult {
  /** For the whole file, earlier runs included. */
  readonly added: number;
  readonly refused: number;
  /** How many lines earlier runs had done. */
  readonly skipped: number;
  readonly seconds: number;
}

/** `milliseconds` is how long it took, and `before` how far earlier runs had come. */
export function resultOf(
  { added, refused }: ImportProgress,
  before: Pick<ImportProgress, 'added' | 'refused'>,
  milliseconds: number,
): ImportResult {
  const seconds = Math.round(milliseconds) / 1_000;
  return { added, refused, skipped: before.added + before.refused, seconds };
}

export function textOfResult(
  { added, refused, skipped, seconds }: ImportResult,
  { dryRun }: { readonly dryRun?: boolean },
): string {
  const earlier = skipped > 0 ? `, of these ${skipped} lines in earlier runs` : '';
  return `${dryRun ? 'would add' : 'added'} ${added}, refused ${refused}${earlier}, in ${seconds} s`;
}

/** @throws InvalidInputFile if any line was refused, so that the exit code says so */
export function refuseSome({ refused }: ImportResult): void {
  if (refused > 0)
    throw new InvalidInputFile(`${refused} ${refused === 1 ? 'line was' : 'lines were'} refused.`);
}

/** The problems of a line, in one line. A problem without a field concerns the line as a whole. */
export const textOf = (problems: readonly Problem[]): string =>
  printable(problems.map(({ field, message }) => `${field} ${message}`.trimStart()).join('; '));

export const lineText = ({ number, problems }: RefusedLine): string => `line ${number}: ${textOf(problems)}`;

export const lineJson = ({ number, problems }: RefusedLine): string =>
  JSON.stringify({ line: number, problems });
