/** The version of every operation that does not name a version. */
export const DEFAULT_VERSION = '1';

/** The path of the default version, with which every base URL ends. Other versions have paths beside it, such as `/v2`. */
export const BASE_PATH = `/v${DEFAULT_VERSION}`;
