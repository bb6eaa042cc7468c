import { directionOf } from '@gatehouse/language/text.ts'
import { createConfig } from '@gatehouse/sign-in'
import type { PageName } from '@gatehouse/wire/page-props'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { SignInArea } from '../../sign-in/src/sign-in.tsx'
import { drawnLogo, pageLogo } from '../src/page-logo.tsx'
import '../src/page.css'
import { signInTexts } from '../src/messages/current.ts'
import { speakInGallery } from './language.ts'
import { never, type Scene } from './scene.ts'
import { groups, idOf } from './scenes.ts'

const asked = new URLSearchParams(window.location.search)
const [found] = groups.flatMap(group =>
  group.scenes.filter(scene => idOf(group, scene) === asked.get('scene')).map(scene => ({ group, scene })),
)
const scene = found?.scene
const theme = asked.get('theme')
if (theme) document.documentElement.dataset.gatehouseTheme = theme
// The tag of a language, or of the pseudo-language.
const tag = asked.get('lang') ?? 'en'
document.documentElement.lang = tag
document.documentElement.dir = asked.get('dir') ?? directionOf(tag)

/** Groups whose cards are in a different position from the card of the sign-in page (page.css), and the pages that they show. */
const pages: Readonly<Record<string, PageName>> = {
  'Pages of the account': 'account',
  'Pages of ways to sign in': 'account',
  'Pages of administration': 'administration',
  'Pages of the approver': 'approve',
  'Pages of the portal': 'notice',
  'Pages of a proxy': 'misconfiguration',
  Mailbox: 'mailbox',
  'One-time link': 'one-time-link',
  'New password': 'new-password',
  'New factor': 'new-factor',
  'Confirm address': 'confirm-email',
  'Recovery codes': 'recovery-codes',
}

const calls = [
  'getAuthTokenWithError',
  'plowlogin',
  'loginWithToken',
  'verifyOTP',
  'setupOTP',
  'recoveryCode',
  'resetOTP',
  'sendPasswordResetEmail',
  'magiclinkSend',
  'magiclinkWait',
  'magiclinkCode',
  'logoutBySelf',
] as const

const pageOf = (scene: Scene): ReactNode => {
  if ('draw' in scene) return scene.draw()
  const silent = Object.fromEntries(calls.map(call => [call, never])) as Record<(typeof calls)[number], typeof never>
  return (
    <SignInArea
      api={{ ...silent, ...scene.api }}
      config={createConfig()}
      navigate={() => {}}
      autoFocus
      logo={drawnLogo(pageLogo())}
      messages={signInTexts}
      {...scene.begin}
    />
  )
}

// Without this, a focused field would scroll the list of frames.
const focus = HTMLElement.prototype.focus
HTMLElement.prototype.focus = function (options) {
  focus.call(this, { ...options, preventScroll: true })
}

/** Sets `data-scene` on the root element to `reached`, which tests wait for. */
const play = async (scene: Scene) => {
  const root = document.getElementById('root')
  if (!root) return
  // Frames share the browser's storage, and other scenes sign in.
  localStorage.removeItem('gatehouse-last-method')
  if ('api' in scene && scene.lastMethod) localStorage.setItem('gatehouse-last-method', scene.lastMethod)
  await speakInGallery(tag)
  document.body.dataset.page = pages[found?.group.name ?? ''] ?? 'sign-in'
  createRoot(root).render(pageOf(scene))
  await scene.act?.()
}

if (scene) {
  document.title = scene.name
  void play(scene).then(
    () => (document.documentElement.dataset.scene = 'reached'),
    error => {
      document.documentElement.dataset.scene = 'missed'
      throw error
    },
  )
}
