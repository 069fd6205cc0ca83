import type { Settings } from '../platform/config/settings.js';

export type Page = Pick<Settings, 'limit'>;
