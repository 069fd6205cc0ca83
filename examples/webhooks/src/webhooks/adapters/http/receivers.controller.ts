import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import type { Int64 } from '../../../kernel/index.js';
import {
  DescribedTag,
  Id,
  IfMatch,
  Location,
  Paged,
  type Paging,
  type Precondition,
  type SetLocation,
} from '../../../platform/http/index.js';
import { Receivers } from '../../application/receivers.js';
import { ReceiverNotFound } from '../../domain/receiver-errors.js';
import { CreateReceiver, DeleteReceiver, GetReceiver, ListReceivers } from './receivers.operations.js';
import { ListReceiversQuery, NewReceiverBody, toAddedReceiverBody, toReceiverBody } from './receiver.dto.js';

@DescribedTag('receivers', 'The receivers of webhooks about sold pets.')
@Controller('webhooks/receivers')
export class ReceiversController {
  constructor(private readonly receivers: Receivers) {}

  @Get()
  @ListReceivers()
  list(@Query() query: ListReceiversQuery, @Paged() page: Paging) {
    return page(query, (selection) => this.receivers.list(selection), toReceiverBody);
  }

  // Without `@Idempotent()`, because the service would store the response, which contains the secret.
  @Post()
  @CreateReceiver()
  async add(@Body() body: NewReceiverBody, @Location() setLocation: SetLocation) {
    const receiver = await this.receivers.add(body);
    setLocation(receiver.id);
    return toAddedReceiverBody(receiver);
  }

  @Get(':receiverId')
  @GetReceiver()
  async get(@Id('receiverId', ReceiverNotFound) id: Int64) {
    return toReceiverBody(await this.receivers.get(id));
  }

  @Delete(':receiverId')
  @DeleteReceiver()
  delete(@Id('receiverId', ReceiverNotFound) id: Int64, @IfMatch() ifMatch: Precondition) {
    return this.receivers.delete(id, ifMatch(toReceiverBody));
  }
}
