import { Command } from 'commander';
import type { CommandContext } from '../../../platform/ops/cli/command-context.js';
import { exportCommand } from './export.command.js';
import { importCommand } from './import.command.js';
import { seedCommand } from './seed.command.js';

/** `petstore pets`: many pets at once, for operators. */
export function petsCommand(context: CommandContext): Command {
  return new Command('pets')
    .description('Imports, exports and seeds animals.')
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(seedCommand(context));
}
