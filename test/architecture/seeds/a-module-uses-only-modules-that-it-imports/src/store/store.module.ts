import { OrderService } from './application/order-service.js';

export const wired = OrderService;
