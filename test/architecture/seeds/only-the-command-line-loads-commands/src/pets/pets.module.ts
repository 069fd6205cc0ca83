import { petsCommand } from './adapters/cli/pets.command.js';

export const module = petsCommand;
