import { type RefObject, useEffect, useState } from 'react'
import { Announced } from '../status/announced.tsx'
import { Button, LinkButton } from './button.tsx'

type CopyButtonProps = {
  text: string
  /** The element that shows the text. The button selects it where pages can't copy, for example over plain HTTP. */
  shownIn: RefObject<HTMLElement | null>
  words: { copy: string; copied: string; selected: string }
  /** Default: `link`. */
  look?: 'link' | 'outline'
}

/** How long the label says that the text was copied. */
const shownMs = 4000

/** A button that copies text, and says whether that worked. */
export const CopyButton = ({ text, shownIn, words, look = 'link' }: CopyButtonProps) => {
  const [done, setDone] = useState<'copied' | 'selected'>()

  useEffect(() => {
    if (!done) return
    const over = setTimeout(setDone, shownMs)
    return () => clearTimeout(over)
  }, [done])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('copied')
    } catch {
      if (!shownIn.current) return
      getSelection()?.selectAllChildren(shownIn.current)
      setDone('selected')
    }
  }

  const Look = look === 'link' ? LinkButton : Button
  return (
    <>
      <Look onClick={() => void copy()}>{done ? words[done] : words.copy}</Look>
      <Announced>{done && words[done]}</Announced>
    </>
  )
}
