import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../../kernel/domain-error.js';
import type { DeprecatedOperation } from '../deprecation/deprecation.js';
import type { ErrorEntry } from '../errors/error-codes.js';
import { describeProblems } from '../errors/error-response.js';
import { jsonBlock } from './markdown.js';
import { type Html, html, prose } from './markup.js';

type Coded = readonly [code: string, entry: ErrorEntry];

/** Explains the error codes; a problem's `type` links to a heading here. `detailCodes` is the table of codes in details. */
export function errorsPage(errors: readonly Coded[], detailCodes: Html): Html {
  const codes = errors.toSorted(([, one], [, other]) => one.status - other.status);
  return html`<h1 id="errors">Errors</h1>
    <p class="lead">
      Every error has a <code>code</code> for programs, a <code>message</code> for people, whose wording may
      change, and the HTTP <code>status</code> again. With <code>Accept: application/problem+json</code> it
      comes as a problem of RFC 9457, whose <code>type</code> is the address of one of these sections.
    </p>
    <ul class="index">
      ${codes.map(([code, { status }]) => html`<li>${status} <a href="#${code}">${code}</a></li>`)}
    </ul>
    <h2 id="details"><a class="anchor" href="#details">What is wrong with a field</a></h2>
    <p>
      Where a body or the query was checked, <code>details</code> names everything that is wrong, each with
      its place, a <code>code</code> and a <code>message</code>.
    </p>
    ${detailCodes} ${codes.map(errorSection)}`;
}

const AGAIN = {
  yes: 'The same request, sent again later, may succeed.',
  'safely only': 'It may have been carried out: send it again only if it is a GET or has an Idempotency-Key.',
  no: 'The same request, sent again, is answered the same.',
};

function errorSection([code, { status, meaning, remedy, again }]: Coded): Html {
  return html`<h2 id="${code}"><a class="anchor" href="#${code}">${code}</a></h2>
    <p class="aside">${status} ${STATUS_CODES[status] ?? ''}</p>
    <p>${prose(meaning)} ${prose(remedy)}</p>
    <p>${AGAIN[again ?? 'no']}</p>
    ${jsonBlock(exampleBody(code, status, `${meaning} ${remedy}`))}`;
}

/** The problems in the examples of those codes that come with details. */
const WRONG: Readonly<Record<string, Problem>> = {
  validation_failed: { field: '/name', code: 'blank', message: 'must have at least one visible character' },
  invalid_parameter: { field: 'query.limit', code: 'out_of_range', message: 'must be from 1 to 100' },
  unknown_parameter: {
    field: 'query.stauts',
    code: 'unknown_field',
    message: 'is not known; did you mean status',
  },
};

function exampleBody(code: string, status: number, sentence: string): object {
  const problem = WRONG[code];
  if (!problem) return { code, message: sentence.replaceAll('`', ''), status };
  const { message, details } = describeProblems([problem]);
  return { code, message, status, details };
}

/** Explains what is deprecated, until when it works, and how to migrate; the `Link` headers of its answers lead here. */
export function deprecationsPage(operations: readonly DeprecatedOperation[]): Html {
  return html`<h1 id="deprecations">Deprecations</h1>
    <p class="lead">
      ${
        operations.length > 0
          ? 'These operations will be removed. Each of their answers says so in its headers.'
          : 'Nothing is deprecated.'
      }
    </p>
    ${operations.map((operation) => {
      const { name, since, successor } = operation;
      return html`<h2 id="${name}"><a class="anchor" href="#${name}">${name}</a></h2>
        ${addressLine(operation)}
        <p class="notice">${endOf(operation)}</p>
        <p>Deprecated since <time datetime="${since}">${since}</time>.</p>
        <p>
          Its successor is <code>GET ${successor().path}</code>. The header <code>Link</code> of each answer
          leads there with <code>rel="successor-version"</code>; where the operation found something, the link
          leads to the list that holds just that. Follow it unchanged.
        </p>`;
    })}`;
}

export const addressLine = ({ method, path, operationId = '' }: Addressed): Html =>
  html`<p class="address">
    <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
    <span class="aside">${operationId}</span>
  </p>`;

interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
}

/** When an operation ends, or that it has ended. */
export function endOf({ gone, sunset }: DeprecatedOperation): Html {
  const day = html`<time datetime="${sunset}">${sunset}</time>`;
  const removed = html`410 <a href="/docs/errors#operation_removed">operation_removed</a>`;
  return gone
    ? html`It was due to be removed on ${day}, and has been removed: it answers ${removed}.`
    : html`It will be removed on ${day}, at midnight UTC, and answers ${removed} from then on.`;
}

/** A short notice for other pages, with a link to the replacement. */
export const noticeOf = (operation: DeprecatedOperation): Html =>
  html`<p class="notice">
    ${endOf(operation)} <a href="/docs/deprecations#${operation.name}">What replaces ${operation.name}</a>
  </p>`;

/** The page for unknown addresses. */
export const notFoundPage = html`<h1 id="nothing">Nothing is at this address</h1>
  <p class="lead">Begin at the <a href="/docs">quick start</a>, or search above.</p>`;
