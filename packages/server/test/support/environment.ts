/** The environment of a new machine, without Gatehouse's settings. NODE_COMPILE_CACHE keeps starts fast. */
export const environment = (env: Record<string, string>) => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env }
}
