import { noticeInMarkdown } from './deprecations.js';
import { relativeTo } from './layout.js';
import { fenced } from './markdown.js';
import { samplesOf } from './samples.js';
import { asidesOf, boundsOf, partsOf, typeOf } from './operation.js';

/** The reference as Markdown, with only the sample for the shell, and without the forms. */
export const referenceMarkdown = (operations, documents) =>
  [
    '# Reference\n',
    'Every operation, with a sample. The sample runs unchanged if `PETSTORE_URL` and `PETSTORE_API_KEY` are set',
    '([quick start](quick-start.md)). The same for programs:',
    `${Object.entries(documents)
      .map(([name, { path }]) => `[${name}](${relativeTo('/docs/reference.md', path)})`)
      .join(', ')}.\n`,
  ].join('\n') + operations.map(articleOf).join('');

function articleOf(operation) {
  const { operationId: id, method, path, summary = id, description = '' } = operation;
  const { 'x-stability': stability, 'x-deprecated-sunset': sunset } = operation;
  const { others, headers, body } = partsOf(operation);
  const paragraphs = [
    `## ${summary.replace(/\.$/, '')}`,
    `\`${method} ${path}\` (${id})`,
    sunset && noticeInMarkdown(operation),
    stability && `> This operation is ${stability}, so it may change or be removed.`,
    description,
    asidesOf(operation),
    ...fields('Parameters', others.map(lineOfParameter)),
    ...(body ? fields('Body', linesOf(body)) : []),
    ...fields('Headers', headers.map(lineOfParameter)),
    '### Responses',
    answers(operation).join('\n'),
    fenced(samplesOf(operation)[0].code, 'bash'),
  ];
  return `\n${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

const fields = (title, lines) => (lines.length > 0 ? [`### ${title}`, lines.join('\n')] : []);

const lineOfParameter = ({ name, required = false, description = '', schema }) =>
  line(name, required, { ...schema, description });

function linesOf(schema, isAnswer = false) {
  const { properties = {}, required: needed = [] } = schema.items ?? schema;
  const required = isAnswer ? [] : needed;
  return Object.entries(properties).map(([name, property]) => line(name, required.includes(name), property));
}

const line = (name, isRequired, schema) =>
  `- \`${name}\` (${typeOf(schema)}${isRequired ? ', required' : ''}): ${schema.description ?? ''} ${boundsOf(schema)}`.trimEnd();

const answers = ({ responses }) =>
  Object.entries(responses).flatMap(([status, { description = '', content }]) => {
    const { schema, examples = {} } = content?.['application/json'] ?? {};
    const codes = Object.keys(examples).map((code) => `[\`${code}\`](errors.md#${code})`);
    if (Number(status) >= 400) return [`- ${status}: ${codes.join(', ')}`];
    const inside = schema ? linesOf(schema, true).map((each) => `  ${each}`) : [];
    return [`- **${status}** ${description}`, ...inside];
  });
