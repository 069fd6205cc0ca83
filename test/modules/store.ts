import type { ModuleFacts } from '../support/module-facts.js';

export default {
  async provoke({ send, add }) {
    const petId = await add('/pets', { name: 'Rex', categoryId: 7 });
    const orderId = await add('/store/orders', { petId });
    await send('POST', '/store/orders', { petId });
    for (const id of [orderId, 404_404]) await send('PATCH', `/store/orders/${id}`, { status: 'placed' });
  },
} satisfies ModuleFacts;
