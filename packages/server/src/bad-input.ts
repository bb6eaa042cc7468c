/** A request that makes no sense. Its message is for the caller, names the field and quotes no value. */
export class BadInput extends Error {}
