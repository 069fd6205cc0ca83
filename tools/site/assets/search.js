/* global document, fetch */

const LIBRARY = './minisearch.js';
const MOST = 8;
/** How words are compared: `sorting` finds `sorted`, and `ids` finds `id`. */
const stemOf = (word) => word.toLowerCase().replace(/(?<=...)(?:e|ed|es|ing)$|(?<=..)s$/, '');

/** Sections by relevance. A section comes first if its title, or what says what it is about, has the word. */
export function indexOf(MiniSearch, sections) {
  const index = new MiniSearch({
    idField: 'url',
    fields: ['title', 'about', 'page', 'text'],
    storeFields: ['title', 'page', 'text'],
    processTerm: stemOf,
    searchOptions: {
      boost: { title: 4, about: 4 },
      boostDocument: (id) => (id.includes('changelog') ? 0.2 : 1),
      // Too many other words begin like a short word, or are similar to it.
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(sections);
  return index;
}

/** Shows results while the reader types, as links below the field. The arrow keys move between them. */
export async function searchIn(field) {
  const panel = document.querySelector('.found');
  const [{ default: MiniSearch }, sections] = await Promise.all([
    import(LIBRARY),
    fetch(new URL('search.json', import.meta.url)).then((answer) => answer.json()),
  ]);
  const index = indexOf(MiniSearch, sections);

  const links = () => [...panel.querySelectorAll('a')];
  const show = () => {
    const wanted = field.value.trim();
    panel.hidden = wanted === '';
    const withAll = index.search(wanted, { combineWith: 'AND' });
    const found = withAll.length > 0 ? withAll : index.search(wanted);
    const links = found.slice(0, MOST).map(linkTo);
    panel.replaceChildren(...(links.length > 0 ? links : [element('p', 'aside', 'Nothing found.')]));
  };
  const move = (event, step) => {
    const places = [field, ...links()];
    const next = places[places.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  field.addEventListener('input', show);
  field.parentElement.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') move(event, 1);
    else if (event.key === 'ArrowUp') move(event, -1);
    else if (event.key === 'Enter' && event.target === field) links()[0]?.click();
    else if (event.key === 'Escape') {
      panel.hidden = true;
      field.focus();
    }
  });
  field.parentElement.addEventListener('focusout', ({ relatedTarget }) => {
    if (!field.parentElement.contains(relatedTarget)) panel.hidden = true;
  });
  field.addEventListener('focus', show);
  panel.addEventListener('click', () => (panel.hidden = true));
  show();
}

function linkTo({ id, title, page, text, terms }) {
  const link = element('a', '', '');
  link.href = new URL(id, import.meta.url).href;
  const where = element('span', 'aside', page === title ? '' : page);
  const excerpt = element('span', 'excerpt', '');
  excerpt.append(...excerptOf(text, terms));
  link.append(element('strong', '', title), ' ', where, excerpt);
  return link;
}

/** The words around the first term. All terms are marked. Words are separated in the same way as in the index. */
function excerptOf(text, terms) {
  const words = text.split(/([\s\p{P}]+)/u);
  const isHit = (word) => terms.includes(stemOf(word));
  const begin = Math.max(0, words.findIndex(isHit) - 8);
  const shown = words
    .slice(begin, begin + 60)
    .map((word) => (isHit(word) ? element('mark', '', word) : word));
  return begin > 0 ? ['… ', ...shown] : shown;
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
