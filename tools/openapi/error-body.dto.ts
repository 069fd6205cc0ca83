import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MAX_DETAILS } from '../../src/platform/http/errors/api-exception.js';

const Text = (description: string, example: string) => ApiProperty({ type: 'string', description, example });

@ApiSchema({ name: 'ErrorDetail' })
class ErrorDetail {
  @Text('A JSON pointer into the body, or `query.` and a name.', '/name')
  field!: string;

  @Text('What is wrong, for programs.', 'required')
  code!: string;

  @Text('What is wrong, for people.', 'is required')
  message!: string;
}

/** The body of every error, as the document describes it. */
@ApiSchema({ name: 'Error' })
export class ErrorBody {
  @Text('Machine-readable error code.', 'pet_not_found')
  code!: string;

  @Text('Human-readable description of the error.', 'No animal has this id.')
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
    description: 'Every problem of a body or a query, all at once.',
  })
  details?: ErrorDetail[];
}

/** The same as a problem (RFC 9457 section 3.1), for clients that accept `application/problem+json`. */
@ApiSchema({ name: 'Problem' })
export class ProblemBody extends ErrorBody {
  @ApiProperty({
    type: 'string',
    format: 'uri-reference',
    description: 'Where the error code is explained.',
    example: '/docs/errors#pet_not_found',
  })
  type!: string;

  @Text('The error code in words.', 'Pet not found')
  title!: string;

  @Text('The same as `message`.', 'No animal has this id.')
  detail!: string;

  @Text('The path of the request.', '/v1/pets/1')
  instance!: string;
}
