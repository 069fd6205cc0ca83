/** What every page of the documentation may do, whatever it is. */
const NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page to read: text, a style and the small picture in the tab. */
export const READING_POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; ${NOTHING_ELSE}`;

/**
 * The page to try things out: scripts are files of this service, and reach nothing but this service. Swagger UI's style has
 * its arrows and locks as `data:` pictures; what it sets on single elements goes through the DOM, which needs no permission.
 */
export const TRYING_POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; ${NOTHING_ELSE}`;
