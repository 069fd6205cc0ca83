/** The JSON pointer to a member of the body (RFC 6901 section 3). */
export const pointerTo = (member: string) => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
