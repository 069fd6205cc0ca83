/**
 * Vite takes `#` for the end of a path and decodes `%`, Node.js imports nothing from `%2F`, and what Vite puts in place of decorators
 * breaks at a quote.
 */
const UNUSABLE = /[#']|%2f|%5c|%(?![\da-f]{2})/i;

/** Refuses a folder in which vitest would fail without saying why. @throws Error */
export function checkPath(folder: string): void {
  // Knip reads the configurations of vitest too, and works everywhere.
  if (process.env['VITEST'] === undefined) return;
  const [found] = UNUSABLE.exec(folder) ?? [];
  if (found !== undefined)
    throw new Error(
      `Vitest cannot run tests below ${folder}: its path has "${found}". Move the project to a path without it; the service and the generator work here.`,
    );
}
