import 'reflect-metadata';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';

type CommandFactory = (context: CommandContext) => Command | Promise<Command>;

const COMMANDS = Symbol('commands');

/**
 * Lists the commands that a module adds to `petstore`. Import the file of a command inside the function, so that only the command line
 * loads it: the service needs neither commands nor their packages.
 */
export function Commands(...commands: CommandFactory[]): ClassDecorator {
  return (module) => Reflect.defineMetadata(COMMANDS, commands, module);
}

export const commandsOfModule = (module: object): CommandFactory[] =>
  (Reflect.getMetadata(COMMANDS, module) as CommandFactory[] | undefined) ?? [];
