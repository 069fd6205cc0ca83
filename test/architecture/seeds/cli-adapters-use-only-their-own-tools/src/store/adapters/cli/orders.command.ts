import type { Response } from 'express';

export const listOrders = (response: Response) => response.end();
