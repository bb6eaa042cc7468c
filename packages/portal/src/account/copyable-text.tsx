import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { type ComponentProps, useRef } from 'react'
import styles from './copyable-text.module.css'

/** Text in a box, with a button that copies it. */
export const CopyableText = ({ text, words }: Pick<ComponentProps<typeof CopyButton>, 'text' | 'words'>) => {
  const shown = useRef<HTMLElement>(null)
  return (
    <div className={styles.copyable}>
      <code className={styles.text} dir="ltr" ref={shown}>
        {text}
      </code>
      <CopyButton text={text} shownIn={shown} words={words} />
    </div>
  )
}
