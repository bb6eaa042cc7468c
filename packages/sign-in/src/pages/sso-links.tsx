import { pages } from '@gatehouse/wire'
import type { MessagesAtFirst } from '../messages/messages.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Divider } from '../ui/divider.tsx'
import { GoogleMark, MicrosoftMark, PakMark } from '../ui/provider-marks.tsx'
import { Tag } from '../ui/tag.tsx'
import styles from './login.module.css'

/** Links, for they navigate and nothing else. All three are always shown; the server says what it does not know. */
export const SsoLinks = ({ words, linkBase }: { words: MessagesAtFirst['login']; linkBase: string }) => (
  <div className={styles.other}>
    <Divider>{words.orSignInWith}</Divider>
    <ButtonLink href={linkBase + pages.ssoLogin('google')} mark={<GoogleMark />}>
      {words.google}
    </ButtonLink>
    <ButtonLink href={linkBase + pages.ssoLogin('azure')} mark={<MicrosoftMark />}>
      {words.microsoft}
    </ButtonLink>
    <ButtonLink href={linkBase + pages.ssoLogin('pak')} mark={<PakMark />} note={<Tag tone="amber">{words.notReady}</Tag>}>
      {words.pak}
    </ButtonLink>
  </div>
)
