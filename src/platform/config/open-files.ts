/** How many files and connections the process may have open (`ulimit -n`). It is infinite without a limit. */
export function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits: { open_files: { soft: number | string } };
  };
  const { soft } = userLimits.open_files;
  return typeof soft === 'number' ? soft : Infinity;
}

export const RAISE_OPEN_FILES = 'Raise the limit (ulimit -n, LimitNOFILE).';
