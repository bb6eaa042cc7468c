import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { useContext, useRef } from 'react'
import { LogoContext } from '../brand-logo.tsx'
import { portalTexts } from '../messages/current.ts'
import styles from './recovery-code-list.module.css'

/** How the browser saves and prints the codes. */
export type CodeDevice = {
  /** Downloads text as a file. */
  save: (fileName: string, text: string) => void
  print: () => void
}

const words = () => portalTexts.recoveryCodes

/** The recovery codes, with buttons to copy, download and print them. */
export const RecoveryCodeList = ({ codes, save, print }: CodeDevice & { codes: readonly string[] }) => {
  const list = useRef<HTMLUListElement>(null)
  const name = useContext(LogoContext)?.name ?? 'Gatehouse'
  const text = codes.join('\n')
  return (
    <>
      {/* Without bullets, some screen readers announce a list only with an explicit role. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <ul className={styles.codes} ref={list} role="list" aria-label={words().list}>
        {codes.map(code => (
          <li className={styles.code} key={code} dir="ltr">
            {code}
          </li>
        ))}
      </ul>
      <div className={styles.tools}>
        <CopyButton text={text} shownIn={list} words={words()} look="outline" />
        <Button onClick={() => save(words().fileName, `${words().fileTitle(name)}\n\n${text}\n`)}>{words().download}</Button>
        <Button onClick={print}>{words().print}</Button>
      </div>
    </>
  )
}
