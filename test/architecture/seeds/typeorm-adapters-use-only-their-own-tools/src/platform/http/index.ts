export class ApiException extends Error {}
