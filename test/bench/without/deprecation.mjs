export * from '../../../dist/platform/http/deprecation/deprecated.decorator.js';

/** A route is as good as new: no interceptor, no headers, nothing counted. */
export const Deprecated = () => () => undefined;
