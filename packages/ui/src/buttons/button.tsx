import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { TickIcon } from '../icons/icons.tsx'
import { Spinner } from '../status/spinner.tsx'
import styles from './button.module.css'
import { ignoreHeldEnter } from './held-enter.ts'

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style' | 'onKeyDown'> & {
  /** Where it leads as long as there is no script, if it leads anywhere then. */
  to?: string | undefined
  /** `primary` is filled and stands once on a page; `outline` is for the rest. */
  look?: 'primary' | 'outline'
  /** A spinner beside the label while something runs, a tick once it is done. The button is disabled with either. */
  progress?: 'running' | 'done' | undefined
}

/** A button as wide as its card, so that a changing label moves nothing. */
export const Button = ({ look = 'outline', progress, disabled, children, ...rest }: ButtonProps) => (
  <button
    {...leading(rest)}
    onKeyDown={ignoreHeldEnter}
    disabled={disabled || progress !== undefined}
    className={`${styles.button} ${styles[look]} ${disabled && !progress ? styles.off : ''}`}
  >
    {progress && <span className={styles.icon}>{progress === 'running' ? <Spinner /> : <TickIcon />}</span>}
    <span>{children}</span>
  </button>
)

type ButtonLinkProps = Omit<ComponentProps<'a'>, 'className' | 'style'> & {
  href: string
  look?: 'primary' | 'outline'
  /** A mark at the start; the label then stands beside it, not in the middle. */
  mark?: ReactNode
  /** A small tag at the end, which describes the link and is no part of its name. The link is then drawn muted, and still navigates. */
  note?: ReactNode
}

/** A link that looks like a button: for what navigates, and works before and without scripts. */
export const ButtonLink = ({ look = 'outline', mark, note, children, ...rest }: ButtonLinkProps) => {
  const noteId = useId()
  return (
    <a
      {...rest}
      className={[styles.button, styles[look], mark && styles.marked, note && styles.muted].filter(Boolean).join(' ')}
      aria-describedby={note ? noteId : undefined}
    >
      {mark && <span className={styles.icon}>{mark}</span>}
      <span>{children}</span>
      {note && (
        <span className={styles.note} id={noteId} aria-hidden="true">
          {note}
        </span>
      )}
    </a>
  )
}

/** A button that looks like a link: for what stays on the page; `to` is as for {@link Button}. */
export const LinkButton = (props: Omit<ComponentProps<'button'>, 'className' | 'style'> & { to?: string | undefined }) => (
  <button {...leading(props)} className={styles.link} />
)

const plainForm = 'gatehouse-plain'

/** The form of all buttons that lead somewhere without a script. It holds no field, so that nothing typed gets into an address. */
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

/** A link in a text or below one: for what navigates. */
export const TextLink = (props: Omit<ComponentProps<'a'>, 'className' | 'style'> & { href: string }) => (
  <a {...props} className={styles.link}>
    {props.children}
  </a>
)
