import { BadConfiguration } from './settings.js';

/**
 * Adds the variables of the file `.env`, if it exists, to the environment; variables that are set already keep their values.
 * @throws BadConfiguration if it cannot be read
 */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new BadConfiguration(`.env: cannot be read (${code})`);
  }
}
