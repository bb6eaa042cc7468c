/** Longer than any browser takes to begin with a file that was handed over. */
const keptMs = 60_000

/** Hands a text over as a file, made in the page: no server sees it. */
export const saveFile = (fileName: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}
