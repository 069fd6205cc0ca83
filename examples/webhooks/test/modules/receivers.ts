import type { ModuleFacts } from '../support/module-facts.js';
import { NewReceiver } from '../../src/webhooks/domain/new-receiver.js';

export default {
  rules: {
    createReceiver: ({ url }) => NewReceiver.validate({ url: String(url) }).length === 0,
  },
} satisfies ModuleFacts;
