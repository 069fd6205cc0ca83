import { Command } from 'commander';
import type { RunInApp } from '../../../platform/cli/run-in-app.js';
import { exportCommand } from './export.command.js';
import { importCommand } from './import.command.js';
import { seedCommand } from './seed.command.js';

/** `petstore pets`: many animals at once, for operators. */
export function petsCommand(run: RunInApp, print: (text: string) => void): Command {
  return new Command('pets')
    .description('Brings many animals into the catalogue, and out of it.')
    .addCommand(importCommand(run, print))
    .addCommand(exportCommand(run, print))
    .addCommand(seedCommand(run, print));
}
