/**
 * What each server gets of each scenario before anything is measured: enough for V8 to have compiled what is asked for
 * often, however few connections come then.
 */
export const WARM_UP = { connections: 64, seconds: 2 };
