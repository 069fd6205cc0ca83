import { Command, Option } from 'commander';
import type { CommandContext } from '../../../platform/ops/cli/command-context.js';
import { InputFile } from './input-file.js';
import { PetImport } from '../../application/pet-import.js';
import { type Format, FORMATS, formatOf } from './file-format.js';
import { runImport, type ImportOptions } from './run-import.js';
import { refuseSome, textOfResult } from './import-result.js';

type Options = Omit<ImportOptions, 'format'> & { readonly format?: Format };

const EXAMPLES = `
Examples:
  petstore pets import animals.csv
  petstore pets import --strict --errors refused.ndjson animals.ndjson.gz
  zcat animals.csv.gz | petstore pets import --format csv --dry-run -`;

/** `petstore pets import`: adds the pets of a file, and resumes an import that was interrupted. */
export function importCommand({ runWithDatabase, print, terminal }: CommandContext): Command {
  return new Command('import')
    .description(
      'Adds an animal for each good line of a file. Run again, it goes on where it was cut off: no animal twice.',
    )
    .argument('<file>', 'CSV whose first line names the columns, or NDJSON; - is standard input')
    .addOption(new Option('--format <format>', 'if the name of the file does not tell').choices(FORMATS))
    .option('--strict', 'add nothing at all if any line is bad')
    .option('--dry-run', 'judge every line and store nothing')
    .option('--again', 'add all lines, even if this file was imported before')
    .option('--errors <file>', 'write refused lines into this file, as NDJSON, not to standard error')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: Options, command: Command) => {
      const format = options.format ?? formatOf(name);
      if (!format)
        command.error(`error: nothing says which format ${name} has. Add --format csv or --format ndjson.`, {
          exitCode: 2,
        });
      const input = await InputFile.open(name, terminal.stdin);
      try {
        const result = await runWithDatabase((app) =>
          runImport(app.get(PetImport), input, { ...options, format }, terminal.stderr),
        );
        print(options.json ? JSON.stringify(result) : textOfResult(result, options));
        refuseSome(result);
      } finally {
        await input.close();
      }
    });
}
