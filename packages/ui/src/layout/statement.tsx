import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useHydrated } from '../hooks/use-hydrated.ts'
import { type EndStatus, StatusGlyph } from '../status/status-glyph.tsx'
import styles from './card.module.css'

type TitleProps = {
  children: string
  /** Whether the title takes the focus when it appears, so screen readers read the new page. */
  focused?: boolean
  /** To focus the title later. */
  ref?: RefObject<HTMLHeadingElement | null>
}

/** The heading of a page. */
export const Title = ({ children, focused = false, ref }: TitleProps) => {
  const own = useRef<HTMLHeadingElement>(null)
  const heading = ref ?? own
  const isHydrating = useRef(!useHydrated())
  useEffect(() => {
    // Keep the focus of a user who has already used the page before the script took over.
    if (focused && !(isHydrating.current && document.activeElement !== document.body)) heading.current?.focus()
    isHydrating.current = false
  }, [focused, heading])
  return (
    <h1 className={styles.title} data-part="title" ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** A paragraph below the heading. */
export const Text = ({ children }: { children: string }) => (
  <p className={styles.text} data-part="text">
    {children}
  </p>
)

type StatementProps = {
  /** How the page ended, shown as a mark above the heading. Omit it on other pages. */
  status?: EndStatus | undefined
  title: string
  /** Text below the title. */
  children: ReactNode
  /** Buttons or links below the text. */
  actions: ReactNode
  /** Whether the title takes the focus when it appears, so screen readers read the new page. */
  focused?: boolean
}

/** The content of a card without fields: a heading, a text and what to do next. */
export const Statement = ({ status, title, children, actions, focused = false }: StatementProps) => (
  <>
    {status && <StatusGlyph status={status} />}
    <Title focused={focused}>{title}</Title>
    <div className={styles.text} data-part="text">
      {children}
    </div>
    <div className={styles.actions}>{actions}</div>
  </>
)
