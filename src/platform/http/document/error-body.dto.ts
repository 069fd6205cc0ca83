import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** One entry of `details`. */
@ApiSchema({ name: 'ErrorDetail' })
class ErrorDetail {
  @ApiProperty({
    type: 'string',
    description: 'A JSON pointer into the body, or `query.` and a name.',
    example: '/name',
  })
  field!: string;

  @ApiProperty({ type: 'string', description: 'What is wrong, for programs.', example: 'required' })
  code!: string;

  @ApiProperty({ type: 'string', description: 'What is wrong, for people.', example: 'is required' })
  message!: string;
}

/** The body of every error, as the document describes it. */
@ApiSchema({ name: 'Error' })
export class ErrorBody {
  @ApiProperty({ type: 'string', description: 'Machine-readable error code.', example: 'pet_not_found' })
  code!: string;

  @ApiProperty({
    type: 'string',
    description: 'Human-readable description of the error.',
    example: 'No animal has this id.',
  })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status code of the response.', example: 404 })
  status!: number;

  @ApiProperty({
    type: [ErrorDetail],
    required: false,
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

  @ApiProperty({ type: 'string', description: 'The error code in words.', example: 'Pet not found' })
  title!: string;

  @ApiProperty({ type: 'string', description: 'The same as `message`.', example: 'No animal has this id.' })
  detail!: string;

  @ApiProperty({ type: 'string', description: 'The path of the request.', example: '/v1/pets/42' })
  instance!: string;
}
