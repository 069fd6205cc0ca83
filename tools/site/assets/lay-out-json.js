/**
 * JSON text in lines, as `JSON.stringify` would lay it out, but with every number as it is written: no digit passes through
 * a double.
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
