export * from '../../../dist/platform/http/deprecation/deprecated.decorator.js';

/** Treats a route as not deprecated: no interceptor, no headers, no usage count. */
export const Deprecated = () => () => undefined;
