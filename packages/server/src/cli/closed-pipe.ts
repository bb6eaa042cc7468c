/** The exit code that a shell reports for a program that SIGPIPE (13) ended. Node ignores this signal. */
const endedBySigpipe = 128 + 13

/** Ends the process quietly when the reader of a pipe closes it, as in `gatehouse user list | head`. */
export const endOnClosedPipe = () => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(endedBySigpipe)
    })
}
