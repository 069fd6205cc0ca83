/** What each program finds out by the client that was generated for it. */
export interface Seen {
  /** Of all animals, page by page. */
  readonly names: readonly string[];
  readonly created: number;
  readonly read: string;
  readonly refused: readonly [status: number, code: string];
  /** With a key that nobody issued. */
  readonly stranger: readonly [status: number, code: string];
}

export const NEW_PET = { name: 'Generated', categoryId: 7, status: 'available' } as const;

/** The cursor of the next page, as the `Link` of this one has it. */
export const nextCursor = (headers: Headers): string | undefined =>
  /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** Runs with the base address and the key of the command line, and prints what it has seen. */
export function main(run: (base: string, key: string) => Promise<Seen>): void {
  const [base = '', key = ''] = process.argv.slice(2);
  void run(base, key).then((seen) => console.log(JSON.stringify(seen)));
}
