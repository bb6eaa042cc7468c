import { createSignIn } from '@gatehouse/sign-in/headless'

const email = { name: 'email', label: 'Email', type: 'email', autocomplete: 'username webauthn', required: true }
const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true }
const code = { name: 'code', label: 'Verification Code', inputMode: 'numeric', autocomplete: 'one-time-code', required: true }
const textCode = label => ({ name: 'code', label, autocomplete: 'off', required: true })

const back = view => ({ label: 'Back to Login', run: view.back })
/** A button that exists only where the view has the function. */
const button = (label, run) => (run ? [{ label, run }] : [])
const otherWays = view => [
  ...view.choices.map(({ label, choose }) => ({ label, run: choose })),
  ...button('Use a recovery code', view.useRecoveryCode),
  ...button('Reset two factor authentication', view.resetFactor),
  back(view),
]

const form = (label, run, ...fields) => ({ label, run, fields })
const unapproved = { Denied: 'The sign-in was not approved.', Expired: 'The request has expired.' }

/** Each page: its forms, whose functions receive what the user typed, and its other buttons. */
const pages = {
  login: view => ({
    forms: [form('Sign in', view.signIn, { ...email, value: view.email }, password)],
    buttons: [
      { label: 'Forgot your password?', run: typed => view.forgotPassword(typed.email) },
      ...button('Sign in with a passkey', view.usePasskey),
      ...view.providers.map(({ label, address }) => ({ label, run: () => location.assign(address) })),
    ],
  }),
  'forgot-password': view => ({
    title: 'Forgot your password?',
    text: view.emailedCode && `Your number is ${view.emailedCode.number}. Open the link, or enter the code of the email.`,
    forms: [
      form('Send Password Reset Email', typed => view.sendResetEmail(typed.email), { ...email, value: view.email }),
      ...(view.emailedCode ? [form('Sign in', typed => view.emailedCode.signIn(typed.code), textCode('Code'))] : []),
    ],
    buttons: [{ label: 'Send One Time Link Email', run: typed => view.sendMagicLink(typed.email) }, back(view)],
  }),
  'verify-factor': view => ({
    title: 'Two Factor Authentication',
    forms: [form('Verify', typed => view.verify(typed.code, typed.password), ...(view.asksPassword ? [password] : []), code)],
    buttons: [...button('Show the secret again', view.showFactor), ...otherWays(view)],
  }),
  'create-factor': view => ({
    title: 'Two Factor Authentication',
    text: view.factor ? `Enter this secret in your authenticator app: ${view.factor.secret}` : 'Follow the instructions on your device.',
    forms: [form('Next', view.next)],
    buttons: [...button('Skip factor authentication', view.skip), ...button('Use a passkey instead', view.usePasskey), back(view)],
  }),
  'reset-factor': view => ({
    title: 'Reset Two Factor Authentication',
    text: view.state.is === 'Held' ? 'This password can’t reset the second factor. Use a recovery code.' : undefined,
    forms: [form('Send reset instruction', typed => view.send(typed.password), ...(view.asksPassword ? [password] : []))],
    buttons: [{ label: 'Use a recovery code', run: view.useRecoveryCode }, back(view)],
  }),
  'recovery-code': view => ({
    title: 'Use a recovery code',
    forms: [form('Verify', typed => view.verify(typed.code), textCode('Recovery code'))],
    buttons: [{ label: 'Use another way', run: view.useFactor }, back(view)],
  }),
  'use-passkey': view => ({ title: 'Use your passkey', forms: [form('Continue', view.verify)], buttons: otherWays(view) }),
  'approve-on-phone': view => ({
    title: 'Approve on your phone',
    text: view.state.asked ? `Type this number on your phone: ${view.state.asked.challengeNumber}` : unapproved[view.state.is],
    forms: [form('Show the number', view.ask)],
    buttons: otherWays(view),
  }),
}

const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}
const typedIn = form => Object.fromEntries(new FormData(form))
const drawButton = ({ label, run }) =>
  element('button', { type: 'button', textContent: label, onclick: () => run(typedIn(root.querySelector('form'))) })

const root = document.getElementById('root')
const signIn = createSignIn({ passkeys: true })

const drawForm = ({ fields, label, run }) => {
  const inputs = fields.map(({ label, ...field }) => element('label', {}, label, ' ', element('input', field)))
  const form = element('form', {}, ...inputs, element('button', { textContent: label }))
  form.onsubmit = event => {
    event.preventDefault()
    run(typedIn(form))
  }
  return form
}

/** Draws the page only when another one appears, so that the fields keep what the user typed. */
let drawn
const draw = () => {
  const view = signIn.getView()
  const { title = 'Sign in', text, forms, buttons } = pages[view.at](view)
  const now = JSON.stringify([view.at, view.isFirstSetup, forms.map(({ label }) => label)])
  if (now !== drawn) {
    drawn = now
    root.replaceChildren(element('h1', {}, title), element('p', { id: 'text' }), element('p', { id: 'message', role: 'alert' }))
    root.append(...forms.map(drawForm), ...buttons.map(drawButton))
    root.querySelector('input')?.focus()
  }
  root.querySelector('#text').textContent = text ?? ''
  const isNoCode = view.at === 'verify-factor' && view.state.is === 'Verifying' && !view.busy
  const { message, advice } = view.state
  const messages = [isNoCode && 'Enter the six-digit code.', message, advice, view.emailedCode?.state.message, view.notice?.title]
  root.querySelector('#message').textContent = messages.filter(Boolean).join(' ')
  for (const button of root.querySelectorAll('form button')) button.disabled = view.busy
}
signIn.subscribe(draw)
draw()
