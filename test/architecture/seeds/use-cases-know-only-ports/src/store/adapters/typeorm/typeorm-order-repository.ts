export class TypeOrmOrderRepository {}
