/** The version of every operation that does not name a version. */
export const DEFAULT_VERSION = '1';

/** The path of the default version, with which every base URL ends. Other versions have paths beside it, such as `/v2`. */
export const BASE_PATH = `/v${DEFAULT_VERSION}`;

const VERSION = /^\/v\d[^/]*(?=\/)/;

/** The version at the beginning of a path, such as `/v2` in `/v2/pets`. Empty if the path begins with another segment. */
export const versionOf = (path: string): string => VERSION.exec(path)?.[0] ?? '';
