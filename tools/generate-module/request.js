import { Command } from 'commander';
import { fieldFrom } from './fields.js';

const EXAMPLE = `npm run generate:module -- vaccinations Vaccination --belongs-to pets name:text:255 'dueAt:instant?' 'kind:enum(a,b)'`;
export const NOTHING_WRITTEN = `Nothing was written. An example: ${EXAMPLE}`;

/** The default fields. */
const NAME = 'name:text:255';

/** Parses the command line. @throws CommanderError, BadInput */
export function requestFrom(args) {
  const program = new Command('npm run generate:module --')
    .description('Writes a module with its tests, its table and its documentation.')
    .argument('<folder>', 'the plural: folder, table and path, as in adoption-days')
    .argument('<entity>', 'the singular, as in AdoptionDay')
    .argument(
      '[fields...]',
      `name:text:<length>, name:int64, name:instant, name:boolean, 'name:enum(a,b)', each with ? at its end if it may be absent; ${NAME} if there is none`,
    )
    .option('--status', 'with a status, open or closed; so it is without fields')
    .option('--no-status', 'without a status')
    .option('--belongs-to <table>', 'with the id of a row of another table, as in pets')
    .option('--no-document', 'without what `npm run document` writes, to call it after several modules')
    .showHelpAfterError(NOTHING_WRITTEN)
    .exitOverride();
  program.parse(args, { from: 'user' });
  const [folder, entity, ...fields] = program.args;
  const { status = fields.length === 0, belongsTo, document } = program.opts();
  return {
    folder,
    entity,
    document,
    status,
    belongsTo,
    fields: (fields.length > 0 ? fields : [NAME]).map(fieldFrom),
  };
}
