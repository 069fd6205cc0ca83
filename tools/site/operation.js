/** The parameters of an operation outside of its headers, its parameters in headers, and the schema of its body. */
export const partsOf = ({ parameters = [], requestBody }) => ({
  others: parameters.filter(({ in: place }) => place !== 'header'),
  headers: parameters.filter(({ in: place }) => place === 'header'),
  body: requestBody?.content['application/json']?.schema,
});

/** The scope that an operation requires, and the version since which it exists. */
export const asidesOf = ({ 'x-scope': scope, 'x-since': since, security }) =>
  [restrictionOf(scope, security?.length === 0), since && `Available since version ${since}.`]
    .filter(Boolean)
    .join(' ');

function restrictionOf(scope, isPublic) {
  if (scope) return `A restricted key needs the scope \`${scope}\`.`;
  return isPublic ? '' : 'A restricted key cannot call it.';
}

/** For example `array of integer, int64`. */
export function typeOf({ type = 'any', format, items }) {
  if (items) return `array of ${typeOf(items)}`;
  const name = [type].flat().join(' or ');
  return format ? `${name}, ${format}` : name;
}

/** The bounds of a schema, in sentences, as far as its description does not contain them. */
export function boundsOf(schema) {
  const { enum: words, minimum, maximum, minLength, maxLength, default: standard, description = '' } = schema;
  const isSaid = (bound) => description.includes(String(bound));
  const between = (least, most, unit) =>
    (least ?? most) === undefined || isSaid(most) ? [] : [`${rangeOf(least, most)}${unit}.`];
  return [
    ...(words ? [`One of ${words.map((word) => `\`${String(word)}\``).join(', ')}.`] : []),
    ...between(minimum, maximum, ''),
    ...between(minLength, maxLength, ' characters'),
    ...(standard === undefined || isSaid(standard) ? [] : [`The default is \`${String(standard)}\`.`]),
  ].join(' ');
}

function rangeOf(least, most) {
  if (least === undefined) return `At most ${most}`;
  return most === undefined ? `At least ${least}` : `From ${least} to ${most}`;
}
