import { EntitySchema } from 'typeorm';
import { columns } from '../../../platform/database/index.js';
import { Receiver } from '../../domain/receiver.js';

/** Maps receivers to the table `receivers`. */
export const ReceiverSchema = new EntitySchema<Receiver>({
  name: 'Receiver',
  target: Receiver,
  tableName: 'receivers',
  columns: {
    id: columns.int64({ primary: true }),
    url: columns.text(500),
    secret: columns.text(80),
  },
});
