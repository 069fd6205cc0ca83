import { bool, moduleSettings, wholeNumber } from '../platform/config/index.js';

/** The settings of webhooks. */
export class WebhookSettings extends moduleSettings({
  allowsInternal: [
    'WEBHOOKS_ALLOW_INTERNAL',
    bool({
      default: false,
      desc: 'Whether webhooks may go to addresses that are not public, and without TLS. Only for development.',
    }),
  ],
  timeout: [
    'WEBHOOKS_TIMEOUT',
    wholeNumber(
      1,
      30_000,
    )({
      default: 15_000,
      desc: 'How long a receiver may take to respond, in milliseconds, 1 to 30000.',
    }),
  ],
}) {}
