import { channel as nodeChannel } from 'node:diagnostics_channel';

/**
 * A channel on which a part of the service publishes what it does, independently of the subscribers. Without subscribers
 * `publish` does nothing. Check `hasSubscribers` before you build an expensive message. Subscribers must not throw.
 */
export interface Channel<Message> {
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
  subscribe(listener: (message: Message) => void): void;
  unsubscribe(listener: (message: Message) => void): void;
}

export const channel = <Message>(name: string) =>
  nodeChannel(`petstore:${name}`) as unknown as Channel<Message>;
