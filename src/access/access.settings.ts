import { moduleSettings } from '../platform/config/module-settings.js';
import { wholeNumber } from '../platform/config/variable-kinds.js';

/** The settings of API keys. */
export class AccessSettings extends moduleSettings({
  historyDays: [
    'ACCESS_HISTORY_DAYS',
    wholeNumber(
      30,
      36_500,
    )({
      default: undefined,
      desc: 'How many days the history of keys is kept, 30 to 36500; empty: for ever.',
    }),
  ],
}) {}
