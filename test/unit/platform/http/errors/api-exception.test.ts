import { expect, it } from 'vitest';
import { ApiException } from '../../../../../src/platform/http/index.js';

it('an error of HTTP shows its body to the filters of modules, and nothing else', () => {
  const details = [{ field: '/a', code: 'required', message: 'is required' }] as const;
  const error = new ApiException('validation_failed', 'No.', { headers: { Allow: 'GET' }, details });
  const body = { code: 'validation_failed', message: 'No.', status: 400 };
  expect(error.getResponse()).toStrictEqual({ ...body, details });
  expect(JSON.stringify(new ApiException('not_found', 'No.').getResponse())).toBe(
    '{"code":"not_found","message":"No.","status":404}',
  );
});
