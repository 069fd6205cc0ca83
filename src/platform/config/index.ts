// The public API of this room.

/** The settings of a module: a class that extends `moduleSettings({ ... })`. */
export { moduleSettings } from './module-settings.js';
/** In `imports` of a module: `SettingsModule.forFeature(...)` provides its settings. */
export { SettingsModule } from './settings.module.js';
/** The settings of the service, and the error that prevents a start. */
export { BadConfiguration, Settings } from './settings.js';
/** True or false; one of `choices`. Both are kinds of the package envalid, whose `makeExactValidator` makes a kind of your own. */
export { bool, str } from 'envalid';
/** An integer in bounds. */
export { wholeNumber } from './variable-kinds.js';
/** A URL of the given schemes. */
export { url } from './variable-kinds.js';
/** A secret; the path of a file with a secret. Messages never repeat a secret. */
export { secret, secretFile } from './variable-kinds.js';
/** The values of declared settings. */
export type { ValuesOf } from './variables.js';
