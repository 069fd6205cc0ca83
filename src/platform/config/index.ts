// The public API of this room.

/** The settings of a module: a class that extends `moduleSettings({ ... })`. */
export { moduleSettings } from './module-settings.js';
/** In `imports` of a module: `SettingsModule.forFeature(...)` provides its settings. */
export { SettingsModule } from './settings.module.js';
/** The settings of the service, and the error that prevents a start. */
export { BadConfiguration, Settings } from './settings.js';
/** The kinds of values that a variable may have. */
export { wholeNumber } from './variable-kinds.js';
/** The values of declared settings. */
export type { ValuesOf } from './variables.js';
