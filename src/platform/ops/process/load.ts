import { openFileLimit, RAISE_OPEN_FILES } from '../../config/open-files.js';
import { printableLines } from '../../json/printable.js';

// Only this file and its few imports are loaded before the program, so that they can report why the program cannot be loaded.

/** Node.js reads the modules of the service in parallel, and needs between 300 and 400 files. With more, the error has another reason. */
const ENOUGH_FILES = 512;

/** The codes of errors when Node.js cannot open a module, or the `package.json` of its package. */
const UNREAD = new Set<unknown>(['EMFILE', 'ERR_MODULE_NOT_FOUND', 'ERR_INVALID_PACKAGE_CONFIG']);

/**
 * Loads a program of the service. If the process may open too few files for it, this prints one line with the reason, and ends the process.
 * Node.js itself would report a missing package.
 */
export async function load<Program>(importProgram: () => Promise<Program>): Promise<Program> {
  try {
    return await importProgram();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const limit = openFileLimit();
    if (!UNREAD.has(code) || limit >= ENOUGH_FILES) throw error;
    const [reason] = message.split('\n');
    const what = `The process may open only ${limit} files, which is too few to load the program: ${reason}.`;
    process.stderr.write(printableLines(`${what} ${RAISE_OPEN_FILES}\n`));
    process.exit(1);
  }
}
