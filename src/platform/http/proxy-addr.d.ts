/** The package that Express decides with; it has no types of its own. */
declare module 'proxy-addr' {
  export function compile(trust: string[]): (address: string, hop: number) => boolean;
}
