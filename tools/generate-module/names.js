const pascal = (words) => words.map(capital).join('');
export const camel = (words) => words[0] + pascal(words.slice(1));
/** The first letter decides. The author corrects the few exceptions. */
export const articleOf = (noun) => (/^[aeiou]/.test(noun) ? 'an' : 'a');

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The last letters decide. */
export const pluralOf = (noun) =>
  /(?:s|x|z|ch|sh)$/.test(noun)
    ? `${noun}es`
    : /[^aeiou]y$/.test(noun)
      ? `${noun.slice(0, -1)}ies`
      : `${noun}s`;

/** The word of which `pluralOf` makes this one; a word that is not a plural is not changed. */
export const singularOf = (plural) =>
  plural
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');

/** The words of a name: `adoption` and `day` for `AdoptionDay` and `adoptionDay`. */
export const wordsOf = (name) =>
  capital(name)
    .match(/[A-Z][a-z0-9]*/g)
    .map((word) => word.toLowerCase());

/** All names of the entity and the module in the templates, made from `adoption-days` and `AdoptionDay`. */
export function namesOf(folder, entity, home, path) {
  const [one, many] = [wordsOf(entity), folder.split('-')];
  const [noun, nouns] = [one.join(' '), many.join(' ')];
  const an = articleOf(noun);
  return {
    folder,
    file: one.join('-'),
    table: many.join('_'),
    TABLE: many.join('_').toUpperCase(),
    code: one.join('_'),
    Entity: entity,
    Entities: pascal(many),
    home,
    area: home.replaceAll('-', ' '),
    path,
    Module: `${pascal(home.split('-'))}Module`,
    entity: camel(one),
    entities: camel(many),
    ENTITY: one.join('_').toUpperCase(),
    noun,
    Noun: capital(noun),
    nouns,
    Nouns: capital(nouns),
    an,
    aNoun: `${an} ${noun}`,
    ANoun: `${capital(an)} ${noun}`,
  };
}
