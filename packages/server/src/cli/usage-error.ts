/** What the command line was told and cannot do. */
export class Wrong extends Error {}
