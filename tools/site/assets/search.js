/* global document, fetch */

const LIBRARY = './minisearch.js';
const MOST = 8;

/** Shows what is found as the reader types: links below the field, which the arrow keys reach. */
export async function searchIn(field) {
  const panel = document.querySelector('.found');
  const [{ default: MiniSearch }, sections] = await Promise.all([
    import(LIBRARY),
    fetch(new URL('search.json', import.meta.url)).then((answer) => answer.json()),
  ]);
  const index = new MiniSearch({
    idField: 'url',
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'text'],
    searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  });
  index.addAll(sections);

  const links = () => [...panel.querySelectorAll('a')];
  const show = () => {
    const wanted = field.value.trim();
    panel.hidden = wanted === '';
    const found = index.search(wanted).slice(0, MOST);
    panel.replaceChildren(
      ...(found.length > 0 ? found.map(linkTo) : [element('p', 'aside', 'Nothing found.')]),
    );
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
  link.append(element('strong', '', title), ' ', where, element('span', 'excerpt', excerptOf(text, terms)));
  return link;
}

/** What stands around the first of the terms, from the beginning of a word. */
function excerptOf(text, terms) {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
  const begin = Math.min(...places) - 40;
  if (places.length === 0 || begin <= 0) return text.slice(0, 120);
  return `… ${text.slice(begin, begin + 160).replace(/^\S*\s/, '')}`;
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
