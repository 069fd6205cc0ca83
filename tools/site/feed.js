import { createHash } from 'node:crypto';
import { withRelativeLinks } from './layout.js';
import { Html, html, visibleText } from './markup.js';

const SECTION = /<h2 id="([^"]*)">(.*?)<\/h2>(.*?)(?=<h2|$)/gs;
const VERSION = /^\[(.+)\] - (\d{4}-\d\d-\d\d)$/;

/** A feed at `address` (RFC 4287) of the versions that have a date on the page of the changelog. */
export function feedOf({ path, parts: [page] }, address) {
  const versions = [...page.text.matchAll(SECTION)].flatMap(([, anchor, heading, content]) => {
    const [, version, day] = VERSION.exec(visibleText(new Html(heading))) ?? [];
    return version ? [{ version, updated: `${day}T00:00:00Z`, anchor, content }] : [];
  });
  const [newest] = versions
    .map(({ updated }) => updated)
    .toSorted()
    .toReversed();
  const feed = html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom">
      <id>${idOf('changelog')}</id>
      <title>Changelog of the Pet Store API</title>
      <author><name>Pet Store</name></author>
      <updated>${newest ?? '1970-01-01T00:00:00Z'}</updated>
      <link rel="self" href="${address}" />
      <link rel="alternate" type="text/html" href="${path}" />
      ${versions.map(
        ({ version, updated, anchor, content }) => html`
          <entry>
            <id>${idOf(`changelog ${version}`)}</id>
            <title>${version}</title>
            <updated>${updated}</updated>
            <link rel="alternate" type="text/html" href="${path}#${anchor}" />
            <content type="html"
              >${withRelativeLinks(address, content.replaceAll('href="#', `href="${path}#`))}</content
            >
          </entry>
        `,
      )}</feed
    > `;
  return withRelativeLinks(address, feed.text);
}

/** A constant id, wherever the service runs: a UUID of version 5 (RFC 9562 section 5.5) in a name space of our own. */
function idOf(name) {
  const bytes = createHash('sha1').update(`petstore ${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  return `urn:uuid:${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}
