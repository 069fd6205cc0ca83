import { type CanActivate, type ExecutionContext, Injectable, type RawBodyRequest } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import type { JsonValue } from '../../json/json-value.js';
import { MalformedJson, parseJson } from '../../json/parse-json.js';
import { ApiException } from '../errors/api-exception.js';
import { readRequestBody } from './read-request-body.js';

type Handler = ReturnType<ExecutionContext['getHandler']>;

const WANTED: readonly string[] = [RouteParamtypes.BODY, RouteParamtypes.RAW_BODY].map(String);

/** Whether a handler takes the body, by `@Body()` or `@RawBody()`. */
export function wantsBody(controller: object, method: string): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
  return Object.keys(parameters).some((key) => WANTED.includes(key.split(':')[0]!));
}

/**
 * Reads and parses the JSON body of routes that want one, and puts it on the request, where `@Body()` looks for it. It is
 * the last of the guards of all routes: a stranger's body is never read. Integers are exact, as number or bigint.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  readonly #wanting = new WeakMap<Handler, boolean>();

  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const handler = context.getHandler();
    let wants = this.#wanting.get(handler);
    if (wants === undefined)
      this.#wanting.set(handler, (wants = wantsBody(context.getClass(), handler.name)));
    return wants ? this.#read(context.switchToHttp().getRequest<RawBodyRequest<Request>>()) : true;
  }

  async #read(request: RawBodyRequest<Request>): Promise<true> {
    const bytes = await readRequestBody(request, this.settings.bodyLimit);
    request.rawBody = bytes;
    request.body = parse(bytes);
    return true;
  }
}

function parse(bytes: Buffer): JsonValue {
  if (bytes.length === 0) throw new ApiException('invalid_json', 'The body is empty. Send a JSON object.');
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw new ApiException('invalid_json', `The body is not acceptable JSON: ${error.message}.`, {
      cause: error,
    });
  }
}
