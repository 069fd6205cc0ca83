/**
 * Lays out JSON text in lines, like `JSON.stringify`, but each number stays as it is written, because a double could lose digits.
 */
export function layOutJson(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g) ?? [];
  let line = '\n';
  let laidOut = '';
  for (const [i, token] of tokens.entries()) {
    const isEmpty = /^[{[][}\]]$/.test(`${token}${tokens[i + 1]}`);
    const wasEmpty = /^[{[][}\]]$/.test(`${tokens[i - 1]}${token}`);
    if (/^[{[]$/.test(token)) {
      if (!isEmpty) line += '  ';
      laidOut += isEmpty ? token : token + line;
    } else if (/^[}\]]$/.test(token)) {
      if (!wasEmpty) line = line.slice(0, -2);
      laidOut += wasEmpty ? token : line + token;
    } else if (token === ',') laidOut += `,${line}`;
    else laidOut += token === ':' ? ': ' : token;
  }
  return laidOut;
}
