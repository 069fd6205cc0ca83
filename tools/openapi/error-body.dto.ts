import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PROBLEM_CODES } from '../../src/kernel/domain-error.js';
import { MAX_DETAILS } from '../../src/platform/http/errors/api-exception.js';

/** `values` are the present values. Others may be added, so the schema has no `enum`. */
const Text = (maxLength: number, description: string, example: string, values?: readonly string[]) =>
  ApiProperty({
    type: 'string',
    maxLength,
    description,
    example,
    ...(values && { 'x-extensible-enum': values }),
  });

/** The maximum lengths of words, and of texts that may repeat a part of the request. Both are far above the real lengths. */
const [SHORT, LONG] = [100, 100_000];

@ApiSchema({ name: 'ErrorDetail' })
class ErrorDetail {
  @Text(
    LONG,
    'The place of the problem: a JSON pointer into the body, such as `/name`, or a parameter, such as `query.limit`.',
    '/name',
  )
  field!: string;

  @Text(SHORT, 'The kind of problem, for programs.', 'required', PROBLEM_CODES)
  code!: string;

  @Text(LONG, 'The problem in words, for people.', 'is required')
  message!: string;
}

/** The body of every error, as the document describes it. */
@ApiSchema({ name: 'Error' })
export class ErrorBody {
  @Text(SHORT, 'Error code, for programs. Its name and meaning do not change.', 'pet_not_found')
  code!: string;

  @Text(LONG, 'Description of the error, for people. Its wording may change.', 'No animal has this id.')
  message!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 400,
    maximum: 599,
    description: 'The HTTP status code of the response.',
    example: 404,
  })
  status!: number;

  @ApiProperty({
    type: [ErrorDetail],
    required: false,
    maxItems: MAX_DETAILS,
    description: 'All problems of the body, the query or the path, at most 50.',
  })
  details?: ErrorDetail[];
}

/** The same as a problem (RFC 9457 section 3.1), for clients that accept `application/problem+json`. */
@ApiSchema({ name: 'Problem' })
export class ProblemBody extends ErrorBody {
  @ApiProperty({
    type: 'string',
    format: 'uri-reference',
    maxLength: SHORT,
    description:
      'The path of the page that explains the error code. For `rate_limited` it is the URL of a registered problem type.',
    example: '/docs/errors#pet_not_found',
  })
  type!: string;

  @Text(SHORT, 'The error code in words.', 'Pet not found')
  title!: string;

  @Text(LONG, 'The same as `message`.', 'No animal has this id.')
  detail!: string;

  @Text(LONG, 'The path of the request.', '/v1/pets/1')
  instance!: string;

  @ApiProperty({
    name: 'violated-policies',
    type: 'array',
    items: { type: 'string', maxLength: SHORT },
    required: false,
    maxItems: 1,
    description:
      'The policies of `RateLimit-Policy` whose quota is exhausted. Sent if `type` ends in `#quota-exceeded`.',
    example: ['key'],
  })
  violatedPolicies?: string[];
}
