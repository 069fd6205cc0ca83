import { channel } from '../../observability/channel.js';

/** Whether a request began a reading or joined one that others will begin. */
export const readCoalesced = channel<'led' | 'joined'>('paging.reading-shared');
