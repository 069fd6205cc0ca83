import { Command } from 'commander';
import { fieldFrom } from './fields.js';

const EXAMPLE = `npm run generate:module -- vaccinations Vaccination --belongs-to pets name:text:255 'dueAt:instant?' 'kind:enum(a,b)' --patch`;
export const NOTHING_WRITTEN = `Nothing was written. An example: ${EXAMPLE}`;

/** The field that an entity has if none is given. */
const NAME = 'name:text:255';

/** Parses the command line. @throws CommanderError, BadInput */
export function requestFrom(args) {
  const program = new Command('npm run generate:module --')
    .description(
      'Writes a module with its tests, its table and its documentation. See docs/module-reference.md.',
    )
    .argument(
      '<folder>',
      'the plural, which names folder, table and path, such as adoption-days; or a name for the module alone, such as boarding for Stay: /boarding/stays',
    )
    .argument('<entity>', 'the singular, such as AdoptionDay')
    .argument(
      '[fields...]',
      `name:text:<length>, name:integer:<min>:<max>, name:int64, name:decimal:<precision>:<scale>, name:instant, name:day, name:boolean, 'name:enum(a,b)', 'name:words(a,b)', each with :given behind it if the service gives the value, or :fixed if PATCH cannot change it, and with ? at its end if it may be absent; without any field, ${NAME}`,
    )
    .option(
      '--plural <name>',
      'the plural, if it is irregular, such as people, or if <folder> begins with the same letter',
    )
    .option('--status', 'adds a status, open or closed, and PATCH for it')
    .option('--patch', 'adds PATCH for all fields')
    .option('--delete', 'adds DELETE')
    .option('--events', 'adds events for other modules')
    .option('--into <module>', 'adds the entity to a module that exists')
    .option('--belongs-to <table>', 'adds the id of a row of another table, such as pets')
    .option(
      '--no-document',
      'does not run `npm run document`, so that you can run it once after several modules',
    )
    .showHelpAfterError(NOTHING_WRITTEN)
    .exitOverride();
  program.parse(args, { from: 'user' });
  const [folder, entity, ...fields] = program.args;
  return {
    folder,
    entity,
    ...program.opts(),
    fields: (fields.length > 0 ? fields : [NAME]).map(fieldFrom),
  };
}
