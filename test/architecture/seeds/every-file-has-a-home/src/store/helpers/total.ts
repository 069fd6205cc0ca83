import type { Order } from '../domain/order.js';

export const total = ({ prices }: Order) => prices.reduce((sum, price) => sum + price, 0);
