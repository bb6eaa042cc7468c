import { ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { GoogleMark, MicrosoftMark, PakMark } from '@gatehouse/ui/icons/provider-marks.tsx'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { pages, type SsoProviderName } from '@gatehouse/wire'
import type { ProviderNotes } from '@gatehouse/wire/page-props'
import type { FirstLoadMessages } from '../../messages/messages.ts'
import styles from './login.module.css'
import type { useLastMethod } from './use-last-method.ts'

type SsoLinksProps = {
  words: FirstLoadMessages['login']
  linkBase: string
  /** The providers to offer, in order. Default: all three (§2). The server refuses those that it does not support. */
  providers: readonly SsoProviderName[] | undefined
  /** Lines below the buttons. */
  notes: ProviderNotes | undefined
  method: ReturnType<typeof useLastMethod>
  /** Whether to omit the divider, because the host page has chosen the order of the methods. */
  bare: boolean
}

/** The links to single sign-on. */
export const SsoLinks = ({ words, linkBase, providers = ['google', 'azure', 'pak'], notes = {}, method, bare }: SsoLinksProps) => {
  const known = {
    google: [words.google, <GoogleMark key="mark" />],
    azure: [words.microsoft, <MicrosoftMark key="mark" />],
    pak: [words.pak, <PakMark key="mark" />, <Tag key="note">{words.notReady}</Tag>],
  } as const
  // Host pages without TypeScript may repeat a provider or name an unknown one.
  const offered = [...new Set(providers)].filter(name => Object.hasOwn(known, name))
  return (
    offered.length > 0 && (
      <div className={styles.other} data-part="providers">
        {(import.meta.env.GATEHOUSE_OWN_PAGES || !bare) && <Divider>{words.orSignInWith}</Divider>}
        {offered.map(name => {
          const [label, mark, note] = known[name]
          return (
            <ButtonLink
              key={name}
              data-part="provider"
              data-provider={name}
              href={linkBase + pages.ssoLogin(name)}
              onClick={() => method.remember(name)}
              mark={mark}
              muted={note !== undefined}
              note={note ?? (method.last === name && <Tag>{words.lastUsed}</Tag>)}
              below={notes[name]}
            >
              {label}
            </ButtonLink>
          )
        })}
      </div>
    )
  )
}
