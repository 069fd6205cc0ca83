/** The version of every operation that names none. */
export const DEFAULT_VERSION = '1';

/** The path of that version, with which every base address ends. The paths of other versions are beside it. */
export const BASE_PATH = `/v${DEFAULT_VERSION}`;
