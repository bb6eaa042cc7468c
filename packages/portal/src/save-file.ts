/** Longer than any browser needs to start a download. */
const keptMs = 60_000

/** Downloads a text as a file. The browser creates it, so no server sees the text. */
export const saveFile = (fileName: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}
