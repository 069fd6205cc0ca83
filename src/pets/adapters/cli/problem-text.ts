import type { Problem } from '../../../kernel/domain-error.js';
import { printable } from '../../../platform/cli/output.js';
import type { RefusedLine } from '../../domain/pet-line.js';

/** What is wrong, in one line. A problem without a field is one of the line as a whole. */
export const textOf = (problems: readonly Problem[]): string =>
  printable(problems.map(({ field, message }) => `${field} ${message}`.trimStart()).join('; '));

export const lineText = ({ number, problems }: RefusedLine): string => `line ${number}: ${textOf(problems)}`;

export const lineJson = ({ number, problems }: RefusedLine): string =>
  JSON.stringify({ line: number, problems });
