import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import styles from './section.module.css'

/** Shows in a toast what an action did. Resolves to false if it could not, because the toasts' code did not load. */
export type ShowMessage = (section: string, message: string) => Promise<boolean>
export const MessageContext = createContext<ShowMessage>(async () => false)

type SectionFrameProps = {
  id: string
  title: string
  text?: string | undefined
  /** The result of the last action. */
  message?: string | undefined
  /** The actions of the section as a whole. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of the account page with its own heading. */
export const Section = ({ id, title, text, message, actions, children }: SectionFrameProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const show = useContext(MessageContext)
  const [inline, setInline] = useState<string>()

  useEffect(() => {
    setInline(undefined)
    if (message === undefined) return
    void show(id, message).then(wasShown => {
      if (!wasShown) setInline(message)
    })
  }, [message, id, show])

  // The action may have removed the focused element.
  useEffect(() => {
    if (message && (document.activeElement === null || document.activeElement === document.body)) heading.current?.focus()
  }, [message])

  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {actions}
      </div>
      {text && <p className={styles.text}>{text}</p>}
      <div role="status">{message !== undefined && message === inline && <p className={styles.message}>{message}</p>}</div>
      {children}
    </section>
  )
}

/** The rows of a section. Without bullets, some screen readers announce a list only with an explicit role. */
export const Rows = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: see above
  <ul className={styles.rows} role="list">
    {children}
  </ul>
)

type RowProps = {
  /** For links to this row. */
  id?: string
  name: ReactNode
  details?: readonly ReactNode[]
  /** Details that stand beside the others where there is room, and below them on narrow screens. */
  more?: readonly ReactNode[]
  actions?: ReactNode
}

/** A row with a name, details and actions. */
export const Row = ({ id, name, details = [], more, actions }: RowProps) => (
  <li className={styles.row} id={id}>
    <div className={styles.what}>
      <div className={styles.name}>{name}</div>
      <Details lines={details} />
    </div>
    {more && (
      <div className={styles.more}>
        <Details lines={more} />
      </div>
    )}
    {actions && <div className={styles.actions}>{actions}</div>}
  </li>
)

const Details = ({ lines }: { lines: readonly ReactNode[] }) =>
  lines.map((line, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a row never change places
    <div className={styles.detail} key={i}>
      {line}
    </div>
  ))

type ActionButtonProps = {
  label: string
  /** The button's accessible name, where several buttons have the same label. */
  of?: string
  /** Whether the button is red, because the action removes or ends something. */
  danger?: boolean
  onClick: () => void
}

/** The button of an action. */
export const ActionButton = ({ label, of, danger = false, onClick }: ActionButtonProps) => {
  const awake = useHydrated()
  return (
    <LinkButton danger={danger} {...(of !== undefined && { 'aria-label': of })} aria-disabled={awake ? undefined : true} onClick={onClick}>
      {label}
    </LinkButton>
  )
}
