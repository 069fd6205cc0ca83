import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Int64 } from '../../../kernel/int64.js';
import { link, Links } from '../links.js';
import { readCursor, writeCursor } from './cursor.js';
import type { PageQuery } from './page.query.js';

/** A list and the filter that a client chose for it. */
export interface Listing {
  /** The path below the base address. */
  readonly path: string;
  /** The filtering query parameters. */
  readonly filter: Readonly<Record<string, string | undefined>>;
}

/** Cuts lists into pages that are linked by opaque cursors. */
@Injectable()
export class Pager {
  constructor(private readonly links: Links) {}

  /** The id before which the wanted page begins; undefined for the first. @throws HttpRefusal 400 `invalid_cursor` */
  before({ path, filter }: Listing, { cursor }: PageQuery): Int64 | undefined {
    return cursor === undefined ? undefined : readCursor(cursor, path, nameOf(filter));
  }

  /** Writes `Link` with `first`, and `next` where there is more. */
  announce(response: Response, listing: Listing, { limit }: PageQuery, next: Int64 | undefined): void {
    const first = link(this.links.to(listing.path, { ...listing.filter, limit }), 'first');
    if (next === undefined) {
      response.setHeader('Link', first);
      return;
    }
    const cursor = cursorAfter(listing, next);
    const onwards = link(this.links.to(listing.path, { ...listing.filter, limit, cursor }), 'next');
    response.setHeader('Link', `${onwards}, ${first}`);
  }
}

/** The cursor of the page that follows the item with this id. */
export function cursorAfter({ path, filter }: Listing, after: Int64): string {
  return writeCursor({ list: path, filter: nameOf(filter), after });
}

const nameOf = (filter: Listing['filter']) =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
