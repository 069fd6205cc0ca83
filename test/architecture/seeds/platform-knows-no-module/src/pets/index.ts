export class PetsModule {}
