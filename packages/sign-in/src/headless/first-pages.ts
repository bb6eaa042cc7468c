import { pages } from '@gatehouse/wire'
import { createForgotPassword } from '../pages/forgot-password/forgot-password-flow.ts'
import { forgot, notSend } from '../pages/forgot-password/forgot-password-state.ts'
import { createMailCode } from '../pages/forgot-password/mail-code-flow.ts'
import { mailCode, notEntered } from '../pages/forgot-password/mail-code-state.ts'
import { createResendWait } from '../pages/forgot-password/resend-wait.ts'
import { createLogin } from '../pages/login/login-flow.ts'
import { login, notLoggedIn } from '../pages/login/login-state.ts'
import { offerPasskeys } from '../pages/login/offer-passkeys.ts'
import { usernameOf } from '../pages/login/username.ts'
import { type HeadlessArea, type HeadlessPage, type PageAt, pagePropsOf, passkeyPageOf } from './area.ts'
import { createMachine } from './machine.ts'
import type { ForgotPasswordView, LoginView } from './view.ts'
import { withoutToken } from './without-token.ts'

export const loginPage = (page: PageAt<'login'>, area: HeadlessArea): HeadlessPage<LoginView> => {
  const machine = createMachine(login, notLoggedIn, area.onChange)
  const { call, dispatch } = machine
  const passkeys = passkeyPageOf(area)
  const flow = createLogin({ ...area, passkeys, call, dispatch, leave: area.leaveBy(area.api.plowlogin), remember: () => {} })
  const { login: words } = area.messages
  const labels = { google: words.google, azure: words.microsoft, pak: words.pak }
  return {
    view: () => ({
      at: 'login',
      state: withoutToken(machine.state()),
      email: page.email ?? '',
      providers: area.providers.map(name => ({ name, label: labels[name], address: area.config.linkBase + pages.ssoLogin(name) })),
      signIn: ({ email, password }) => {
        const username = usernameOf(email)
        if (!call.isRunning() && username && password) void flow.signIn({ username, password })
      },
      usePasskey: passkeys && (() => void flow.signInWithPasskey()),
      forgotPassword: (email = '') => area.go({ at: 'forgot-password', email }),
    }),
    isBusy: call.isRunning,
    stop: machine.stop,
    offer:
      passkeys &&
      (() =>
        offerPasskeys(
          () => passkeys,
          chosen => void flow.signInWithPasskey(chosen),
        )),
  }
}

export const forgotPasswordPage = (page: PageAt<'forgot-password'>, area: HeadlessArea): HeadlessPage<ForgotPasswordView> => {
  const props = pagePropsOf(area)
  const machine = createMachine(forgot, notSend, area.onChange)
  const code = createMachine(mailCode, notEntered, area.onChange)
  const wait = createResendWait(area.onChange)
  const flow = createForgotPassword({ ...props, ...machine, words: props.messages.forgotPassword, waitToResend: wait.begin })
  const codeFlow = createMailCode({ ...props, ...code })
  const send = (to: (address: string) => Promise<void>) => (email: string) => {
    const address = usernameOf(email)
    wait.edit(address)
    if (!machine.call.isRunning() && wait.left() === 0 && address) void to(address)
  }
  return {
    view: () => {
      const state = machine.state()
      const number = state.is === 'Sent' ? state.number : undefined
      return {
        at: 'forgot-password',
        state: state.is === 'Sent' ? { is: 'Sent', message: state.message } : state,
        email: page.email ?? '',
        wait: wait.left(),
        sendResetEmail: send(flow.sendResetEmail),
        sendMagicLink: send(flow.sendMagicLink),
        emailedCode:
          number === undefined
            ? undefined
            : { number, state: withoutToken(code.state()), signIn: typed => void codeFlow.signIn(typed.trim()) },
        back: () => area.go({ at: 'login', email: page.email ?? '' }),
      }
    },
    isBusy: () => machine.call.isRunning() || code.call.isRunning(),
    stop: () => {
      machine.stop()
      code.stop()
      wait.stop()
    },
  }
}
