import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { TickIcon } from '../icons/icons.tsx'
import { Spinner } from '../status/spinner.tsx'
import styles from './button.module.css'
import { ignoreHeldEnter } from './ignore-held-enter.ts'

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style' | 'onKeyDown'> & {
  /** Address that the button opens until the script has loaded. */
  to?: string | undefined
  /** `primary` is filled; a page has at most one. `danger` is red, for what cannot be undone. `outline` is for all others. */
  look?: 'primary' | 'outline' | 'danger'
  /** Shows a spinner (`running`) or a tick (`done`) beside the label, and disables the button. */
  progress?: 'running' | 'done' | undefined
  /** An icon at the start. The label then follows it instead of being centered. */
  mark?: ReactNode
  /** A small tag at the end. It is not part of the button's name. */
  note?: ReactNode
}

type ContentProps = { mark: ReactNode; note: ReactNode; noteId?: string; children: ReactNode }

const Content = ({ mark, note, noteId, children }: ContentProps) => (
  <>
    {mark && (
      <span className={styles.icon} data-part="icon">
        {mark}
      </span>
    )}
    <span>{children}</span>
    {note && (
      <span className={styles.note} id={noteId} aria-hidden="true">
        {note}
      </span>
    )}
  </>
)

/** A button as wide as its card, so a changing label does not change the layout. */
export const Button = ({ look = 'outline', progress, mark, note, disabled, children, ...rest }: ButtonProps) => (
  <button
    data-part={look === 'primary' ? 'primary-button' : 'button'}
    {...leading(rest)}
    onKeyDown={ignoreHeldEnter}
    disabled={disabled || progress !== undefined}
    className={[styles.button, styles[look], mark && styles.marked, disabled && !progress && styles.off].filter(Boolean).join(' ')}
  >
    <Content mark={progress ? progress === 'running' ? <Spinner /> : <TickIcon /> : mark} note={note}>
      {children}
    </Content>
  </button>
)

type ButtonLinkProps = Omit<ComponentProps<'a'>, 'className' | 'style'> & {
  href: string
  look?: 'primary' | 'outline'
  /** An icon at the start. The label then follows it instead of being centered. */
  mark?: ReactNode
  /** A small tag at the end. It is the link's description, not part of its name. */
  note?: ReactNode
  /** Whether the link looks less prominent. It still navigates. */
  muted?: boolean
  /** A line below the link. It is also a description of the link. */
  below?: string | undefined
}

/** A link that looks like a button. Use it for navigation: it works without a script. */
export const ButtonLink = ({ look = 'outline', mark, note, muted, below, children, ...rest }: ButtonLinkProps) => {
  const noteId = useId()
  const belowId = `${noteId}-below`
  const link = (
    <a
      data-part={look === 'primary' ? 'primary-button' : 'button'}
      {...rest}
      className={[styles.button, styles[look], mark && styles.marked, muted && styles.muted].filter(Boolean).join(' ')}
      aria-describedby={[note && noteId, below && belowId].filter(Boolean).join(' ') || undefined}
    >
      <Content mark={mark} note={note} noteId={noteId}>
        {children}
      </Content>
    </a>
  )
  return below ? (
    <div>
      {link}
      <p className={styles.below} data-part="note" id={belowId}>
        {below}
      </p>
    </div>
  ) : (
    link
  )
}

type LinkButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style'> & {
  to?: string | undefined
  /** Whether the button is red, because it removes something. */
  danger?: boolean
}

/** A button that looks like a link. Use it for actions on the page. `to` is as in {@link Button}. */
export const LinkButton = ({ danger = false, ...props }: LinkButtonProps) => (
  <button data-part="link" {...leading(props)} className={`${styles.link} ${danger ? styles.dangerLink : ''}`} />
)

const plainForm = 'gatehouse-plain'

/** The form behind all buttons with `to`. It has no fields, so the browser puts no input into the address. */
export const PlainForm = () => <form id={plainForm} method="get" />

const leading = <Props extends ComponentProps<'button'>>({ to, type = 'button', onClick, ...rest }: Props & { to?: string | undefined }) =>
  to === undefined
    ? { ...rest, type, onClick }
    : {
        ...rest,
        type: 'submit' as const,
        form: plainForm,
        formAction: to,
        onClick: (event: MouseEvent<HTMLButtonElement>) => {
          event.preventDefault()
          onClick?.(event)
        },
      }

/** A link in or below a text. */
export const TextLink = (props: Omit<ComponentProps<'a'>, 'className' | 'style'> & { href: string }) => (
  <a data-part="link" {...props} className={styles.link}>
    {props.children}
  </a>
)
