import { Marked, type MarkedToken, type Token } from 'marked';

const LONGEST = 30;
const CODE = /`[^`]*`/g;
const wordsIn = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

interface Rule {
  readonly instead: string;
  readonly breaks: (sentence: string) => boolean;
  /** A sentence that breaks the rule, and the same statement that does not. */
  readonly pair: readonly [bad: string, good: string];
}

/** The rules of docs/style.md that a machine can check. They read a sentence with its code masked. */
export const RULES: Readonly<Record<string, Rule>> = {
  'is no': {
    instead: '"is not"; "there is no" is fine',
    breaks: (sentence) => /(?<!\bthere )\b(?:is|are|was|were) (?:no(?! longer)|none)\b/i.test(sentence),
    pair: ['An id that is no int64 names no pet.', 'A malformed id returns 404.'],
  },
  'but for': {
    instead: '"except"',
    breaks: (sentence) => /\bbut for\b/i.test(sentence),
    pair: ['Responses have three headers, but for 408.', 'Responses, except 408, have three headers.'],
  },
  'those of': {
    instead: 'the noun again',
    breaks: (sentence) => /\bthose of\b/i.test(sentence),
    pair: ['It sets those of the proxy.', 'It sets the headers of the proxy.'],
  },
  'Who, Of': {
    instead: 'the subject first: "A client that ..."',
    breaks: (sentence) => /(?:^|[:;] )(?:who(?:ever)?|of)\b(?![^]*\?$)/i.test(sentence),
    pair: ['Who sends a key is let in.', 'A client that sends a key is let in.'],
  },
  'no longer': {
    instead: 'what is true now; in the changelog "Previously"',
    breaks: (sentence) => /\bno longer\b/i.test(sentence),
    pair: ['A pet that is no longer there returns 404.', 'A deleted pet returns 404.'],
  },
  'used to': {
    instead: 'what is true now',
    breaks: (sentence) => /(?<!\b(?:is|are|be) )\bused to\b/i.test(sentence),
    pair: ['The cluster used to share ports.', 'A lease is used to run one job.'],
  },
  'in no other way': {
    instead: '"always", "only"',
    breaks: (sentence) => /\bin no other way\b/i.test(sentence),
    pair: ['Lists are sorted by id, and in no other way.', 'Lists are always sorted by id.'],
  },
  [`more than ${LONGEST} words`]: {
    instead: 'two sentences, or a list',
    breaks: (sentence) => wordsIn(sentence).length > LONGEST,
    pair: [
      `The list has ${'one '.repeat(LONGEST - 2)}pet.`,
      `The list has ${'one '.repeat(LONGEST - 4)}pet.`,
    ],
  },
};

const sentences = new Intl.Segmenter('en-GB', { granularity: 'sentence' });

/** The sentences of a text in Markdown, without tables and blocks of code. Code within a sentence stays. */
export function sentencesOf(markdown: string): string[] {
  return blocksIn(new Marked().lexer(markdown)).flatMap((block) => {
    // A sentence may begin with code in lower case.
    const masked = maskCode(block);
    return [...sentences.segment(masked)]
      .map(({ index, segment }) => block.slice(index, index + segment.length).trim())
      .filter(Boolean);
  });
}

const maskCode = (text: string) => text.replaceAll(CODE, (code) => 'X'.repeat(code.length));

/** The texts of paragraphs, headings and items of lists. */
function blocksIn(tokens: Token[]): string[] {
  return (tokens as MarkedToken[]).flatMap((token) => {
    if (token.type === 'list') return token.items.flatMap((item) => blocksIn(item.tokens));
    if (token.type === 'blockquote') return blocksIn(token.tokens);
    if (token.type === 'paragraph' || token.type === 'heading' || token.type === 'text')
      return [inlineText(token.tokens ?? [])];
    return [];
  });
}

const inlineText = (tokens: Token[]): string =>
  (tokens as MarkedToken[])
    .map((token) => {
      if (token.type === 'codespan') return `\`${token.text}\``;
      if (token.type === 'br' || token.type === 'html') return ' ';
      return 'tokens' in token && token.tokens ? inlineText(token.tokens) : 'text' in token ? token.text : '';
    })
    .join('')
    .replaceAll(/\s+/g, ' ');

const COMMENT = /^[ \t]*(?:\/\*\*?([^]*?)\*\/|((?:\/\/ .*\n[ \t]*)+))/gm;
const MARKS = /^[ \t]*(?:\*|\/\/) ?/gm;
const TAG = / ?@(?=[a-z]+ )/g;

/** The comments of a source file that have lines of their own, as Markdown. Each tag, such as `@throws`, begins a paragraph. */
export const commentsIn = (source: string): string =>
  [...source.matchAll(COMMENT)]
    .map(([, block, lines]) => (block ?? lines!).replaceAll(MARKS, '').replaceAll(TAG, '\n\n@'))
    .join('\n\n');

/** The remedy for the faults of a text. */
export const REWRITE = 'Rewrite these sentences. docs/style.md shows how, with a pair for each rule.';

/** What in a text breaks a rule: the name of the rule, and the sentence. */
export const faultsIn = (markdown: string): string[] =>
  sentencesOf(markdown).flatMap((sentence) =>
    Object.entries(RULES)
      .filter(([, { breaks }]) => breaks(maskCode(sentence)))
      .map(([name]) => `${name}: ${sentence}`),
  );
