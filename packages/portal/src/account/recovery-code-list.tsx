import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { useRef } from 'react'
import { english } from '../messages/en.ts'
import styles from './recovery-code-list.module.css'

/** What a device does with the codes. */
export type CodeDevice = {
  /** Hands over a text as a file. */
  save: (fileName: string, text: string) => void
  print: () => void
}

const words = english.recoveryCodes

/** Recovery codes, and the ways to keep them. */
export const RecoveryCodeList = ({ codes, save, print }: CodeDevice & { codes: readonly string[] }) => {
  const list = useRef<HTMLUListElement>(null)
  const text = codes.join('\n')
  return (
    <>
      {/* A list without its bullets is none to some screen readers unless it is called one. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <ul className={styles.codes} ref={list} role="list" aria-label={words.list}>
        {codes.map(code => (
          <li className={styles.code} key={code}>
            {code}
          </li>
        ))}
      </ul>
      <div className={styles.tools}>
        <CopyButton text={text} shownIn={list} words={words} />
        <LinkButton onClick={() => save(words.fileName, `${words.fileTitle}\n\n${text}\n`)}>{words.download}</LinkButton>
        <LinkButton onClick={print}>{words.print}</LinkButton>
      </div>
    </>
  )
}
