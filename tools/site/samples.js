import { exampleOf } from './document.js';

/**
 * Programs that call an operation, with URL and key from the environment. Each has its title, its language as the highlighter
 * calls it, and its code.
 */
export function samplesOf({ method, parameters = [], requestBody, ...operation }) {
  const schema = requestBody?.content['application/json']?.schema;
  const call = {
    method,
    path: parameters.reduce(
      (path, { name, schema }) => path.replace(`{${name}}`, String(exampleOf(schema))),
      operation.path,
    ),
    body: schema && exampleOf(schema, true),
    /** Whether the operation takes an `Idempotency-Key`. */
    isRepeatable: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
  return [
    { title: 'curl', language: 'bash', code: curl(call) },
    { title: 'JavaScript', language: 'javascript', code: javascript(call) },
    { title: 'Client', language: 'client', code: client(call) },
    { title: 'Python', language: 'python', code: python(call) },
  ];
}

/** The sample for the shell has a constant key, because no command that makes a random one exists in every shell. */
const A_KEY = '7d9f3c52-1b0e-4c7a-8f64-0e2a5b91c3d8';

/** The lines whose condition holds. */
const linesOf = (...lines) => lines.filter((line) => line !== false);

function curl({ method, path, body, isRepeatable }) {
  const isImplied = method === (body ? 'POST' : 'GET');
  return linesOf(
    `curl -sS ${isImplied ? '' : `-X ${method} `}"$PETSTORE_URL${path}"`,
    '-H "Authorization: Bearer $PETSTORE_API_KEY"',
    !!body && `-H 'Content-Type: application/json'`,
    isRepeatable && `-H 'Idempotency-Key: ${A_KEY}'`,
    !!body && `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
  ).join(' \\\n  ');
}

const javascript = ({ method, path, body, isRepeatable }) =>
  linesOf(
    `const answer = await fetch(\`\${process.env.PETSTORE_URL}${path}\`, {`,
    method !== 'GET' && `  method: '${method}',`,
    '  headers: {',
    '    Authorization: `Bearer ${process.env.PETSTORE_API_KEY}`,',
    !!body && `    'Content-Type': 'application/json',`,
    isRepeatable && `    'Idempotency-Key': crypto.randomUUID(),`,
    '  },',
    !!body && `  body: JSON.stringify(${literal(body, 'javascript')}),`,
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    method === 'DELETE' ? 'console.log(answer.status);' : 'console.log(await answer.json());',
  ).join('\n');

/** A sample that calls the operation by its path, because the client supports this for the operations of every module. */
function client({ method, path, body, isRepeatable }) {
  const options = method === 'POST' && !isRepeatable && '{ maxTries: 1 }';
  const given = linesOf(`'${path}'`, (!!body || !!options) && literal(body, 'client'), options);
  return linesOf(
    `import { PetStoreClient } from '@petstore/client';`,
    '',
    'const client = new PetStoreClient({ baseUrl: process.env.PETSTORE_URL });',
    `console.log(await client.${method.toLowerCase()}(${given.join(', ')}));`,
  ).join('\n');
}

const python = ({ method, path, body, isRepeatable }) =>
  linesOf(
    isRepeatable ? 'import json, os, uuid' : 'import json, os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    os.environ["PETSTORE_URL"] + "${path}",`,
    method !== 'GET' && `    method="${method}",`,
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["PETSTORE_API_KEY"],',
    !!body && `        "Content-Type": "application/json",`,
    isRepeatable && `        "Idempotency-Key": str(uuid.uuid4()),`,
    '    },',
    !!body && `    data=json.dumps(${literal(body, 'python')}).encode(),`,
    ')',
    'with urlopen(request) as answer:',
    method === 'DELETE' ? '    print(answer.status)' : '    print(json.load(answer))',
  ).join('\n');

const PYTHON_WORDS = { true: 'True', false: 'False', null: 'None' };

/**
 * A value as source code in one line. Python quotes names, and has other words for true, false and null. The client takes
 * integers as bigint.
 */
function literal(value, language) {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, language)).join(', ')}]`;
  const text = JSON.stringify(value);
  if (language === 'client' && Number.isInteger(value)) return `${text}n`;
  if (typeof value !== 'object' || value === null)
    return language === 'python' && typeof value !== 'string' ? (PYTHON_WORDS[text] ?? text) : text;
  const nameOf = (name) => (language === 'python' ? JSON.stringify(name) : name);
  const members = Object.entries(value).map(
    ([name, member]) => `${nameOf(name)}: ${literal(member, language)}`,
  );
  return `{ ${members.join(', ')} }`;
}
