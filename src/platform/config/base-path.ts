/** The version of every operation that does not name a version. */
export const DEFAULT_VERSION = '1';

/** The path of the default version, with which every base URL ends. Other versions have paths beside it, such as `/v2`. */
export const BASE_PATH = `/v${DEFAULT_VERSION}`;

const VERSION = /^\/v\d+(?:\.\d+)*(?=\/)/;

/** The version at the beginning of a path, such as `/v2` in `/v2/pets`. Empty if the path begins with another segment. */
export const versionOf = (path: string): string => VERSION.exec(path)?.[0] ?? '';

/** The whole path of an operation, from its path below the base URL. A path that names its version, such as `/v2/pets`, is whole. */
export const toWholePath = (path: string): string => (versionOf(path) === '' ? BASE_PATH + path : path);

/** A whole path as seen from the base URL: `/pets` for `/v1/pets`, and `../v2/pets` for `/v2/pets`. */
export const toRelativePath = (path: string): string =>
  path === BASE_PATH || path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : `..${path}`;
