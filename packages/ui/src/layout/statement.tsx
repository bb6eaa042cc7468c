import { type ReactNode, useEffect, useRef } from 'react'
import { useAwake } from '../hooks/use-awake.ts'
import styles from './card.module.css'

type TitleProps = {
  children: string
  /** Whether the title takes the focus when it appears, so that a new page is read out. */
  focused?: boolean
}

/** The heading of a page. */
export const Title = ({ children, focused = false }: TitleProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const takesOver = useRef(!useAwake())
  useEffect(() => {
    // Who has begun to do something before the script came is left there.
    if (focused && !(takesOver.current && document.activeElement !== document.body)) heading.current?.focus()
    takesOver.current = false
  }, [focused])
  return (
    <h1 className={styles.title} ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** What a page says below its heading. */
export const Text = ({ children }: { children: string }) => <p className={styles.text}>{children}</p>

type StatementProps = {
  title: string
  /** Words below the title. */
  children: ReactNode
  /** Buttons or links below the words. */
  actions: ReactNode
  /** Whether the title takes the focus when it appears, so that a new page is read out. */
  focused?: boolean
}

/** What a card says where there is nothing to fill in: a heading, words, and what to do next. */
export const Statement = ({ title, children, actions, focused = false }: StatementProps) => (
  <>
    <Title focused={focused}>{title}</Title>
    <div className={styles.text}>{children}</div>
    <div className={styles.actions}>{actions}</div>
  </>
)
