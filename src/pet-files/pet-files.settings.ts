import { moduleSettings } from '../platform/config/module-settings.js';
import { wholeNumber } from '../platform/config/variable-kinds.js';

/** The settings of imports. */
export class PetFileSettings extends moduleSettings({
  importDays: [
    'PETS_IMPORT_DAYS',
    wholeNumber(
      1,
      36_500,
    )({
      default: 400,
      desc: 'How many days the progress of an import is kept, 1 to 36500; after that the same file can be imported again.',
    }),
  ],
}) {}
