/** The version of the interface: the specification's, not the package's. */
export const API_VERSION = '1.0.0';
