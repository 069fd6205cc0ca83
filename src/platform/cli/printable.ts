/** A text that says nothing to a terminal but itself: control characters, such as those that move its cursor, are replaced. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd');
