/** The environment of a fresh machine: what is needed to run, and no setting of ours. Node finds what set-up has had it compile. */
export const environment = (env: Record<string, string>) => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env }
}
