import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { OwnAccount } from '@gatehouse/wire'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts } from '../../messages/current.ts'
import { withElements } from '../../messages/with-elements.tsx'
import { deviceOf, placeOf } from '../../origin.ts'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'
import { TimeAgo } from '../time-ago.tsx'
import { type OneOrOthers, OneOrOthersDialog } from './one-or-others-dialog.tsx'

type Listed = OwnAccount['browsers'][number]
type BrowserAction = OneOrOthers<{ browser: Listed }>

export type KnownBrowsersProps = SectionProps & {
  browsers: Listed[]
  timeZone: string
  api: Pick<PortalApi, 'userBrowserForget' | 'userBrowserForgetOthers'>
}

const words = () => accountTexts.knownBrowsers

const nameOf = ({ from }: Listed) => (from ? deviceOf(from) : accountTexts.device.unknown)

/** The browsers whose wrong passwords count separately. */
export const KnownBrowsersSection = (props: KnownBrowsersProps) => {
  const { browsers, timeZone, username, api } = props
  const actions = useActions<BrowserAction>(props)

  const forget = (action: BrowserAction) =>
    void actions.start(async signal => {
      if (action.is === 'Others') return outcomeOf(await api.userBrowserForgetOthers(signal), words().others.done)
      const reply = await api.userBrowserForget({ browserId: action.browser.browserId }, signal)
      // 404: the browser has already been forgotten.
      return !reply.ok && reply.failure.status === 404 ? { message: words().forgotten } : outcomeOf(reply, words().forgotten)
    })

  return (
    <Section
      id="known-browsers"
      title={words().title}
      text={words().text}
      message={actions.message}
      actions={
        browsers.some(({ own }) => !own) &&
        browsers.length > 1 && <ActionButton danger label={words().others.open} onClick={() => actions.choose({ is: 'Others' })} />
      }
    >
      <Rows>
        {browsers.length === 0 && <Row name={words().none} />}
        {browsers.map(browser => {
          const { browserId, own, from, browserFirstSeen, browserSignedIn } = browser
          const name = nameOf(browser)
          const last = <TimeAgo at={browserSignedIn} zone={timeZone} />
          return (
            <Row
              key={browserId}
              name={
                <>
                  {name} {own && <Tag>{words().own}</Tag>}
                </>
              }
              details={[
                ...(from ? [<bdi key="place">{placeOf(from)}</bdi>] : []),
                browserFirstSeen == null
                  ? withElements(words().last, last)
                  : withElements(words().times, <TimeAgo at={browserFirstSeen} zone={timeZone} />, last),
              ]}
              actions={
                <ActionButton
                  danger
                  label={words().forget}
                  of={from ? words().forgetOfAt(name, from.address) : words().forgetOf(name)}
                  onClick={() => actions.choose({ is: 'One', browser })}
                />
              }
            />
          )
        })}
      </Rows>
      <OneOrOthersDialog
        actions={actions}
        username={username}
        words={words()}
        textOfOne={({ browser }) => words().one.text(nameOf(browser))}
        run={forget}
      />
    </Section>
  )
}
