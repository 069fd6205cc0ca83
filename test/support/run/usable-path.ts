/** Vite takes `#` for the end of a path and brackets for a pattern, Vitest decodes `%`, and decorators break at a quote. */
const UNUSABLE = /[#%'[\]{}]/;

/** Rejects a folder in which vitest would fail without a reason. @throws Error */
export function checkPath(folder: string): void {
  // Knip reads the configurations of vitest too, and works everywhere.
  if (process.env['VITEST'] === undefined) return;
  const [found] = UNUSABLE.exec(folder) ?? [];
  if (found !== undefined)
    throw new Error(
      `Vitest cannot run tests below ${folder}: its path has "${found}". Move the project to a path without it; the service and the generator work here.`,
    );
}
