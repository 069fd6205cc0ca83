import type { ModuleFacts } from '../support/module-facts.js';
import { aGroomingBody } from '../support/grooming-builder.js';

export default {
  async provoke({ send, add }) {
    const body = aGroomingBody({ groomerId: await add('/groomers', { name: 'Ada' }) });
    for (let i = 0; i < 2; i++) await send('POST', '/groomings', body);
    await send('POST', '/groomings', { ...body, groomerId: 404_404 });
  },
} satisfies ModuleFacts;
