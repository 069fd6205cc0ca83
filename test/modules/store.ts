import type { ModuleFacts } from '../support/module-facts.js';

export default {
  async provoke({ send, add }) {
    const petId = await add('/pets', { name: 'Rex', categoryId: 7 });
    const orderId = await add('/store/orders', { petId });
    await send('POST', '/store/orders', { petId });
    await send('PATCH', '/store/orders/404404', { status: 'cancelled' });
    for (const status of ['cancelled', 'delivered'])
      await send('PATCH', `/store/orders/${orderId}`, { status });
  },
} satisfies ModuleFacts;
