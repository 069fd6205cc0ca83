export class StoreModule {}
