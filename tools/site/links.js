import { existsSync } from 'node:fs';
import { Marked } from 'marked';
import { markdownAddress, relativeTo } from './layout.js';

/** A link that this site does not resolve: to another site, or within a page. */
const STAYS = /^(?:[a-z][a-z\d+.-]*:|#)/i;

/**
 * The target of a link of a source, as `{ path, markdown }`: its path on the pages, and the link in Markdown. Undefined if the
 * service does not serve the target.
 */
export function addressOf(target, source, addresses) {
  if (STAYS.test(target)) return { path: target, markdown: target };
  const [path, anchor] = target.split('#');
  const to = pageAt(path, source.file, addresses);
  const behind = anchor === undefined ? '' : `#${anchor}`;
  return (
    to && {
      path: to.path + behind,
      markdown: relativeTo(markdownAddress(source), to.markdown + behind),
    }
  );
}

/** The page at a path of the service, or of a file relative to the file with the link. */
function pageAt(path, file, addresses) {
  if (path.startsWith('/')) return addresses.get(path);
  const named = decodeURIComponent(new URL(path, `file:///${file}`).pathname.slice(1));
  return [...addresses.values()].find((address) => address.file === named);
}

/** The links in tokens of Markdown, in order. */
export function linksIn(tokens) {
  const links = [];
  new Marked().walkTokens(tokens, (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token);
  });
  return links;
}

/**
 * A sentence for each broken link of a file. `ids` contains the anchors of all pages by path, and `root` is the folder of the
 * files.
 */
export function brokenLinks({ file, path: own, text }, { root, addresses, ids }) {
  const faultOf = (href) => {
    const [target, anchor] = href.split('#');
    if (target !== '' && STAYS.test(href)) return undefined;
    const page = target === '' ? own : pageAt(target, file, addresses)?.path;
    const isThere = anchor === undefined || !ids.has(page) || ids.get(page).has(decodeURIComponent(anchor));
    if (page) return isThere ? undefined : 'there is no such heading';
    if (target.startsWith('/')) return 'the service has no such page';
    return existsSync(new URL(target, new URL(file, root))) ? undefined : 'there is no such file';
  };
  const found = [];
  let line = 1;
  for (const block of new Marked().lexer(text)) {
    let begin = 0;
    for (const { raw, href } of linksIn([block])) {
      begin = Math.max(begin, block.raw.indexOf(raw, begin));
      const fault = faultOf(href);
      if (fault)
        found.push(`${file}:${line + linesIn(block.raw.slice(0, begin))}: ${href} leads nowhere: ${fault}.`);
    }
    line += linesIn(block.raw);
  }
  return found;
}

const linesIn = (text) => text.split('\n').length - 1;
