import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/index.js';
import { writeJson } from '../../../platform/json/index.js';
import type { Receiver } from '../../domain/receiver.js';
import type { Webhook } from '../../domain/webhook.js';
import { WebhookSender } from '../../ports/webhook-sender.js';
import { WebhookSettings } from '../../webhooks.settings.js';
import { isPublic, lookupPublic, notPublic } from './public-addresses.js';
import { signatureOf } from './signature.js';

/** Sends webhooks by HTTP, as Standard Webhooks 1.0.0 describes. */
@Injectable()
export class HttpWebhookSender extends WebhookSender {
  constructor(
    private readonly settings: WebhookSettings,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async send(
    { url, secret }: Pick<Receiver, 'url' | 'secret'>,
    { id, payload }: Webhook,
    signal: AbortSignal,
  ): Promise<void> {
    const seconds = Math.floor(this.clock.now() / 1_000);
    const body = writeJson(payload);
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': signatureOf(secret, id, seconds, body),
    };
    const { timeout } = this.settings;
    const late = AbortSignal.timeout(timeout);
    let status: number;
    try {
      status = await this.#post(new URL(url), headers, body, AbortSignal.any([signal, late]));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Messages of Node may contain the host, which a client has chosen. A code does not.
      const reason = late.aborted ? `it took longer than ${timeout} ms` : (code ?? message);
      throw new Error(`the receiver did not respond: ${reason}`, { cause: error });
    }
    if (status < 200 || status > 299) throw new Error(`the receiver responded with ${status}`);
  }

  /** @returns the status of the response. A redirect is not followed, and the body is not read */
  #post(url: URL, headers: http.OutgoingHttpHeaders, body: string, signal: AbortSignal): Promise<number> {
    const { allowsInternal } = this.settings;
    // Node does not look up an address that the URL contains.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!allowsInternal && isIP(host) !== 0 && !isPublic(host)) return Promise.reject(notPublic());
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        signal,
        // A connection of an agent may have been opened without `lookupPublic`.
        agent: false,
        ...(!allowsInternal && { lookup: lookupPublic }),
      });
      request.on('response', (response) => {
        resolve(response.statusCode!);
        response.destroy();
      });
      request.on('error', reject);
      // A response with 101 ends the connection without an error.
      request.on('close', () => reject(new Error('it closed the connection')));
      request.end(body);
    });
  }
}
