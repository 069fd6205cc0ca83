import { createHmac } from 'node:crypto';
import { keyOf } from '../../domain/receiver-secret.js';

/** The signature of Standard Webhooks 1.0.0. `seconds` is the time of the try. */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`);
  return `v1,${hmac.digest('base64')}`;
}
