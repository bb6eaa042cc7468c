import { Icon } from '@gatehouse/ui/icons/icons.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { dateTimeFormat } from '@gatehouse/wire'
import type { MailboxMail, MailboxProps, OpenMail } from '@gatehouse/wire/page-props'
import { BrandLogo } from '../brand-logo.tsx'
import { Breakable } from '../breakable.tsx'
import { language, portalTexts } from '../messages/current.ts'

export const isMailboxProps = (props: unknown): props is MailboxProps =>
  typeof props === 'object' &&
  props !== null &&
  'base' in props &&
  typeof props.base === 'string' &&
  'messages' in props &&
  Array.isArray(props.messages) &&
  props.messages.every(isMail) &&
  (!('open' in props) || props.open === undefined || isOpenMail(props.open))

const hasTexts = <Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, string> =>
  typeof value === 'object' &&
  value !== null &&
  names.every(name => typeof Object.entries(value).find(([key]) => key === name)?.[1] === 'string')

const isMail = (mail: unknown): mail is MailboxMail => hasTexts(mail, 'id', 'to', 'subject', 'at')

const isOpenMail = (mail: unknown): mail is OpenMail => isMail(mail) && hasTexts(mail, 'from', 'text')

const words = () => portalTexts.mailbox

/** The mailbox of a development server. It has no script, and a sandboxed frame shows the HTML of an email. */
export const MailboxPage = ({ messages, open, base }: MailboxProps) => (
  <Surface>
    <div className="gatehouse-mailbox-box">
      <header className="gatehouse-mailbox-head">
        <BrandLogo />
        <div>
          <Title>{words().title}</Title>
          <Text>{words().text}</Text>
        </div>
      </header>
      {messages.length === 0 && !open ? (
        <p className="gatehouse-mailbox-nothing">{words().empty}</p>
      ) : (
        <div className="gatehouse-mailbox-panes">
          <nav className="gatehouse-mailbox-list" aria-label={words().list}>
            {messages.map(mail => (
              <a
                key={mail.id}
                className="gatehouse-mailbox-mail"
                href={`${base}/mail/${encodeURIComponent(mail.id)}`}
                aria-current={mail.id === open?.id ? 'page' : undefined}
              >
                <span className="gatehouse-mailbox-subject">{mail.subject}</span>
                <span className="gatehouse-mailbox-line">
                  <span>
                    <Breakable>{mail.to}</Breakable>
                  </span>
                  <Instant at={mail.at} />
                </span>
              </a>
            ))}
          </nav>
          {open ? (
            <Opened mail={open} base={base} />
          ) : (
            <div className="gatehouse-mailbox-none-open">
              <span className="gatehouse-mailbox-disc">
                <Icon size={36}>
                  <path d="M2 4.5h14v9.5H2zM2.3 5 9 10l6.7-5" strokeWidth="1.2" />
                </Icon>
              </span>
              <p className="gatehouse-mailbox-hint">{words().nothingOpen}</p>
            </div>
          )}
        </div>
      )}
    </div>
  </Surface>
)

const Opened = ({ mail, base }: { mail: OpenMail; base: string }) => (
  <article className="gatehouse-mailbox-open">
    {/* Narrow screens show the list or the email. */}
    <a className="gatehouse-mailbox-back" href={`${base}/mail`}>
      {words().back}
    </a>
    <h2 className="gatehouse-mailbox-title">{mail.subject}</h2>
    <dl className="gatehouse-mailbox-fields">
      <dt className="gatehouse-mailbox-name">{words().from}</dt>
      <dd className="gatehouse-mailbox-value">
        <bdi dir="ltr">{mail.from}</bdi>
      </dd>
      <dt className="gatehouse-mailbox-name">{words().to}</dt>
      <dd className="gatehouse-mailbox-value">
        <bdi dir="ltr">
          <Breakable>{mail.to}</Breakable>
        </bdi>
      </dd>
      <dt className="gatehouse-mailbox-name">{words().sent}</dt>
      <dd className="gatehouse-mailbox-value">
        <Instant at={mail.at} />
      </dd>
    </dl>
    <div className="gatehouse-mailbox-framed">
      <iframe
        className="gatehouse-mailbox-frame"
        title={words().html}
        sandbox="allow-popups allow-top-navigation-by-user-activation"
        src={`${base}/mail/${encodeURIComponent(mail.id)}/html`}
        height={heightOf(mail.text)}
      />
    </div>
    <details className="gatehouse-mailbox-plain">
      <summary className="gatehouse-mailbox-summary">{words().plain}</summary>
      <Plain text={mail.text} />
    </details>
  </article>
)

/**
 * An estimate of the email's height, in pixels. The page has no script that could measure it. A
 * frame that is too short scrolls.
 * @param text the same texts as in the formatted email, and the addresses of its links
 */
const heightOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line !== '')
    .reduce((height, line) => height + (isAddress(line) ? 60 : 16 + 24 * Math.ceil(line.length / 36)), 112)

const isAddress = (line: string) => /^https?:\/\//.test(line)

/** The text, with clickable links. */
const Plain = ({ text }: { text: string }) => (
  <pre className="gatehouse-mailbox-text">
    {text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
      index % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
        <a key={index} className="gatehouse-mailbox-link" href={part}>
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </pre>
)

/** With seconds, to distinguish two emails sent within a minute. In the server's time zone, which is also the developer's. */
const Instant = ({ at }: { at: string }) => {
  const instant = new Date(at)
  const text = Number.isNaN(instant.getTime()) ? at : dateTimeFormat(undefined, language).dateTimeSeconds(at)
  return (
    <time className="gatehouse-mailbox-quiet" dateTime={at}>
      {text}
    </time>
  )
}
