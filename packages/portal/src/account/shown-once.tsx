import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Text } from '@gatehouse/ui/layout/statement.tsx'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './shown-once.module.css'

type ShownOnceProps = { text: string; saved: string; onSaved: () => void; children: ReactNode }

/** New secrets, which the server does not show again. */
export const ShownOnce = ({ text, saved, onSaved, children }: ShownOnceProps) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div className={styles.shown} ref={place} tabIndex={-1}>
      <Text>{text}</Text>
      <div className={styles.secrets}>{children}</div>
      <div className={styles.saved}>
        <Button look="primary" onClick={onSaved}>
          {saved}
        </Button>
      </div>
    </div>
  )
}
