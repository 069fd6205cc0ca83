export const printable = (text: string) => text;
