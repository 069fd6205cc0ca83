import { printable } from '../cli/output.js';

export const backedUp = (file: string) => printable(`copied to ${file}`);
