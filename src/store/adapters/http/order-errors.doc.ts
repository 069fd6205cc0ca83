import type { ErrorEntry } from '../../../platform/http/errors/error-codes.js';

/** Documents the errors of orders that clients can meet. */
export const ORDER_ERRORS: Readonly<Record<string, ErrorEntry>> = {
  order_not_found: {
    status: 404,
    meaning: 'No order has this id.',
    remedy: 'Check the id, or list the orders to find it.',
  },
  pet_not_available: {
    status: 409,
    meaning: 'The animal is not available, or does not exist.',
    remedy: 'Choose another one: `GET /pets?status=available`.',
  },
  invalid_transition: {
    status: 409,
    meaning: 'The order cannot change to this status.',
    remedy: 'Get the order again; `delivered` and `cancelled` are final.',
  },
};
