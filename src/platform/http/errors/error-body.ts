import { writeJson } from '../../json/write-json.js';
import type { ErrorResponse } from './error-response.js';

/** An error as bytes for the wire. */
interface ErrorMessage {
  readonly contentType: string;
  readonly body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/**
 * The body of an error: `code`, `message`, `status`, and `details` where a body or a query was checked,
 * `reasons` where an operator asked whether the service is ready. As a problem
 * (`application/problem+json`) it has the members of RFC 9457 section 3.1 as well. `instance` is the request's path.
 */
export function errorBody(answer: ErrorResponse, asProblem: boolean, instance: string): ErrorMessage {
  const { code, message, status, details, reasons } = answer;
  const error = { code, message, status, details, reasons };
  if (!asProblem) return { contentType: JSON_TYPE, body: writeJson(error) };

  const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
  const problem = { type: `/docs/errors#${code}`, title, detail: message, instance, ...error };
  return { contentType: PROBLEM_TYPE, body: writeJson(problem) };
}
