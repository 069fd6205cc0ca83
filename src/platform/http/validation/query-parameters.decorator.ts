import { type ArgumentMetadata, type PipeTransform, Query } from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { Refuses } from '../document/refuses.decorator.js';
import { summaryOf } from '../errors/error-answer.js';
import { HttpRefusal } from '../errors/http-refusal.js';
import { checkShape, type Shape } from './check-shape.js';

/** Checks the query string as a whole. */
class QueryPipe implements PipeTransform<object, object> {
  transform(query: object, { metatype }: ArgumentMetadata): object {
    const { dto, problems } = checkShape(metatype as Shape<object>, query);
    if (problems.length > 0) throw refused(problems);
    return dto;
  }
}

function refused(problems: Problem[]): HttpRefusal {
  const unknown = problems.some(({ code }) => code === 'unknown_field');
  const details = problems.map((problem) => ({ ...problem, field: `query.${problem.field}` }));
  return new HttpRefusal(unknown ? 'unknown_parameter' : 'invalid_parameter', summaryOf(details), {
    details,
  });
}

/** A handler's parameter that is the query string, checked against the rules of the parameter's class. */
export function QueryParameters(): ParameterDecorator {
  return (target, method, index) => {
    Query(new QueryPipe())(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method!)!;
    Refuses('invalid_parameter', 'unknown_parameter')(target, method!, descriptor);
  };
}
