import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { ArgumentMetadata } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Problem } from '../../../kernel/domain-error.js';
import { Settings } from '../../config/settings.js';
import { bodyOf } from '../body/body-of.js';
import { Refuses } from '../document/refuses.decorator.js';
import { summaryOf } from '../errors/error-answer.js';
import { HttpRefusal } from '../errors/http-refusal.js';
import { pointerTo } from '../errors/json-pointer.js';
import type { JsonValue } from '../../json/json-value.js';
import { MalformedJson, parseJson } from '../../json/parse-json.js';
import { checkBody } from './check-body.js';
import type { Shape } from './check-shape.js';

/** Reads the body that a parameter asks for: after the guards, so that a stranger's body is never read. */
@Injectable()
class JsonBodyPipe implements PipeTransform<Request, Promise<object>> {
  constructor(private readonly settings: Settings) {}

  async transform(request: Request, { metatype }: ArgumentMetadata): Promise<object> {
    const shape = metatype as Shape<object>;
    const data = parse(await bodyOf(request, this.settings.bodyLimit));
    if (data === null || typeof data !== 'object' || Array.isArray(data)) {
      throw invalid([{ field: '', code: 'invalid_type', message: 'The body must be a JSON object' }]);
    }
    const { dto, problems } = checkBody(shape, data);
    if (problems.length === 0) return dto;
    throw invalid(problems.map((problem) => ({ ...problem, field: pointerTo(problem.field) })));
  }
}

function parse(bytes: Buffer): JsonValue {
  if (bytes.length === 0) throw new HttpRefusal('invalid_json', 'The body is empty. Send a JSON object.');
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw new HttpRefusal('invalid_json', `The body is not acceptable JSON: ${error.message}.`, {
      cause: error,
    });
  }
}

const invalid = (details: Problem[]) => new HttpRefusal('validation_failed', summaryOf(details), { details });

const Incoming = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request>(),
);

/** A handler's parameter that is the JSON body, checked against the rules of the parameter's class. */
export function JsonBody(): ParameterDecorator {
  return (target, method, index) => {
    Incoming(JsonBodyPipe)(target, method, index);
    const types = Reflect.getMetadata('design:paramtypes', target, method!) as Shape<object>[];
    const descriptor = Object.getOwnPropertyDescriptor(target, method!)!;
    ApiBody({ type: types[index], required: true })(target, method!, descriptor);
    Refuses(
      'invalid_json',
      'validation_failed',
      'payload_too_large',
      'unsupported_media_type',
    )(target, method!, descriptor);
  };
}
