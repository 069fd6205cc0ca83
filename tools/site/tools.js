import { operationsOf } from '../../mcp/operations.js';

/** A text of `petstore-mcp` in Markdown, with a table of the tools that it makes of the operations below the heading of tools. */
export function withTools(text, document) {
  const rows = operationsOf(document).map(({ method, tool, sunset }) => {
    const end = sunset === undefined ? '' : `, until ${sunset}`;
    return `| \`${tool.name}\` | ${tool.title}${end} | ${method === 'GET' ? '' : '`--write`'} |\n`;
  });
  const table = `| Tool | What it does | Needs |\n| - | - | - |\n${rows.join('')}`;
  return text.replace(/^## Tools\n/m, (heading) => `${heading}\n${table}`);
}
