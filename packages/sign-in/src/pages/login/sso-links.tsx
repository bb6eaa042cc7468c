import { ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { GoogleMark, MicrosoftMark, PakMark } from '@gatehouse/ui/icons/provider-marks.tsx'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { pages, type SsoProviderName } from '@gatehouse/wire'
import type { MessagesAtFirst } from '../../messages/messages.ts'
import styles from './login.module.css'

type SsoLinksProps = {
  words: MessagesAtFirst['login']
  linkBase: string
  /** Which ones, in their order. Default: all three (§2); the server says which it does not know. */
  providers: readonly SsoProviderName[] | undefined
}

/** Links, because they navigate and do nothing else. */
export const SsoLinks = ({ words, linkBase, providers = ['google', 'azure', 'pak'] }: SsoLinksProps) => {
  const known = {
    google: [words.google, <GoogleMark key="mark" />],
    azure: [words.microsoft, <MicrosoftMark key="mark" />],
    pak: [
      words.pak,
      <PakMark key="mark" />,
      <Tag key="note" tone="amber">
        {words.notReady}
      </Tag>,
    ],
  } as const
  // A page without types may name a provider twice, or one that does not exist.
  const offered = [...new Set(providers)].filter(name => Object.hasOwn(known, name))
  return (
    offered.length > 0 && (
      <div className={styles.other}>
        <Divider>{words.orSignInWith}</Divider>
        {offered.map(name => {
          const [label, mark, note] = known[name]
          return (
            <ButtonLink key={name} href={linkBase + pages.ssoLogin(name)} mark={mark} note={note}>
              {label}
            </ButtonLink>
          )
        })}
      </div>
    )
  )
}
