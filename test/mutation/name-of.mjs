import ts from 'typescript';

/**
 * The name of a mutant, which edits of other code do not change: the file, the function or constant (for a method with its class), the
 * mutator, and the words of the replacement that the original does not have. `source` is the file as Stryker read it.
 */
export function nameOf(file, source, { mutatorName, replacement, location: { start, end } }) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const [from, to] = [start, end].map(({ line, column }) =>
    tree.getPositionOfLineAndCharacter(line - 1, column - 1),
  );
  const original = wordsOf(source.slice(from, to));
  const added = wordsOf(replacement).filter((word) => !original.includes(word));
  return [file, placeOf(tree, from), mutatorName, added.join(' ')];
}

/** Babel, which writes replacements, does not keep parentheses that are not necessary. */
const wordsOf = (code) => code.split(/[\s()]+/).filter(Boolean);

/** The name of the declaration at the top level that contains a position, and of the member if it is a class. */
function placeOf(tree, position) {
  const contains = ({ pos, end }) => pos <= position && position < end;
  const statement = tree.statements.find(contains);
  const declared = statement.declarationList?.declarations.find(contains) ?? statement;
  const name = declared.name?.getText(tree) ?? '';
  if (!ts.isClassDeclaration(declared)) return name;
  return `${name}.${declared.members.find(contains)?.name?.getText(tree) ?? 'constructor'}`;
}
