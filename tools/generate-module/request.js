import { Command } from 'commander';
import { fieldFrom } from './fields.js';

const EXAMPLE = `npm run generate:module -- vaccinations Vaccination --belongs-to pets name:text:255 'dueAt:instant?' 'kind:enum(a,b)' --patch`;
export const NOTHING_WRITTEN = `Nothing was written. An example: ${EXAMPLE}`;

/** The field that an entity has if none is given. */
const NAME = 'name:text:255';

/** Parses the command line. @throws CommanderError, BadInput */
export function requestFrom(args) {
  const program = new Command('npm run generate:module --')
    .description('Writes a module with its tests, its table and its documentation.')
    .argument(
      '<folder>',
      'the plural: folder, table and path, as in adoption-days; or the name of the module alone, as in boarding for Stay: /boarding/stays',
    )
    .argument('<entity>', 'the singular, as in AdoptionDay')
    .argument(
      '[fields...]',
      `name:text:<length>, name:integer:<min>:<max>, name:int64, name:decimal:<precision>:<scale>, name:instant, name:day, name:boolean, 'name:enum(a,b)', 'name:words(a,b)', each with ? at its end if it may be absent; ${NAME} if there is none`,
    )
    .option('--plural <name>', 'the plural, if it is irregular, as in people, or if <folder> begins like it')
    .option('--status', 'with a status, open or closed, and PATCH for it')
    .option('--patch', 'with PATCH for all fields')
    .option('--delete', 'with DELETE')
    .option('--events', 'with events for other modules')
    .option('--into <module>', 'in the folder of a module that is there, as its next entity')
    .option('--belongs-to <table>', 'with the id of a row of another table, as in pets')
    .option('--no-document', 'without what `npm run document` writes, to call it after several modules')
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
