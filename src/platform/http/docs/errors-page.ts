import { STATUS_CODES } from 'node:http';
import type { ErrorEntry } from '../errors/error-catalogue.js';
import { html, prose } from './html.js';
import { page } from './page.js';

type Coded = readonly [code: string, entry: ErrorEntry];

/** Explains error codes; the `type` of a problem is the address of its section. */
export function errorsPage(errors: readonly Coded[]): string {
  const codes = errors.toSorted(([, one], [, other]) => one.status - other.status);
  return page({
    title: 'Errors',
    content: html`<main class="text">
      <h1>Errors</h1>
      <p>
        Every error has a <code>code</code> for programs, a <code>message</code> for people and the HTTP
        <code>status</code> again. Where a body or the query was checked, <code>details</code> names
        everything that is wrong, with its place. With <code>Accept: application/problem+json</code> it comes
        as a problem of RFC 9457, whose <code>type</code> is the address of one of these sections.
      </p>
      <ul class="index">
        ${codes.map(([code]) => html`<li><a href="#${code}">${code}</a></li>`)}
      </ul>
      ${codes.map(section)}
    </main>`,
  });
}

function section([code, { status, meaning, remedy }]: Coded) {
  return html`<section id="${code}">
    <h2><a href="#${code}">${code}</a></h2>
    <p class="aside">${status} ${STATUS_CODES[status] ?? ''}</p>
    <p>${prose(meaning)}</p>
    <p>${prose(remedy)}</p>
  </section> `;
}
