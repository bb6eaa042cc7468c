import { MagicLinkAnswer, routes } from '@gatehouse/wire'
import { brief, type Check, isSuccess, type Run, read, refusedWith } from '../run.ts'
import { must } from '../verdict.ts'
import { mustLookAlike } from './sign-in.ts'

const link = (run: Run, email: string) =>
  run.client.openBrowser().call(routes.magiclinkSend, [{ email, redirect: { tag: 'RedirectDashboard' } }])
const reset = (run: Run, userEmail: string) => run.client.openBrowser().call(routes.sendPasswordResetEmail, { userEmail })

const unknownReset = (run: Run) => run.once('unknown reset', () => reset(run, run.unknown.username))
const unknownLink = (run: Run) => run.once('unknown link', () => link(run, run.unknown.username))

/** Checks of email requests. They send real emails to one account of the file. */
export const mailChecks: Check[] = [
  {
    id: 'mail/reset',
    section: '§7 sendPasswordResetEmail',
    rule: 'A password reset is requested with the field useremail',
    check: async run => {
      const answer = await unknownReset(run)
      must(isSuccess(answer), `expected a success, got ${brief(answer)}`)
    },
  },
  {
    id: 'mail/reset-field',
    section: '§3 Password reset request',
    rule: 'The field userEmail, which other requests have, is refused in this call',
    check: async run => {
      const body = { userEmail: run.unknown.username }
      refusedWith(await run.client.openBrowser().post(routes.sendPasswordResetEmail.path, body), 400, 422)
    },
  },
  {
    id: 'mail/reset-alike',
    section: 'wire.md: Outcomes that must look alike',
    rule: 'A password reset looks alike for known and unknown addresses',
    check: async run => mustLookAlike(await unknownReset(run), await reset(run, run.anyKnown().username), 'a known and an unknown address'),
  },
  {
    id: 'mail/link',
    section: '§7 magiclink/send',
    rule: 'A list with one request gets Ok or Error',
    check: async run => void read(MagicLinkAnswer, await unknownLink(run)),
  },
  {
    id: 'mail/link-alike',
    section: 'wire.md: Outcomes that must look alike',
    rule: 'A one-time link looks alike for known and unknown addresses',
    check: async run => mustLookAlike(await unknownLink(run), await link(run, run.anyKnown().username), 'a known and an unknown address'),
  },
  {
    id: 'mail/link-redirects',
    section: '§5 Magic link decoding',
    rule: 'RedirectSSOLogin with Google, Azure and Pak is accepted',
    check: async run => {
      const requests = (['Google', 'Azure', 'Pak'] as const).map(contents => ({
        email: run.unknown.username,
        redirect: { tag: 'RedirectSSOLogin' as const, contents },
      }))
      read(MagicLinkAnswer, await run.client.openBrowser().call(routes.magiclinkSend, requests))
    },
  },
  {
    id: 'mail/link-unknown-redirect',
    section: '§5 Magic link decoding',
    rule: 'An unknown redirect or provider is refused with 400 or answered with Error',
    check: async run => {
      const redirects = [{ tag: 'RedirectElsewhere' }, { tag: 'RedirectSSOLogin', contents: 'google' }, { tag: 'RedirectSSOLogin' }]
      for (const redirect of redirects) {
        const answer = await run.client.openBrowser().post(routes.magiclinkSend.path, [{ email: run.unknown.username, redirect }])
        if (!isSuccess(answer)) refusedWith(answer, 400, 422)
        else must(read(MagicLinkAnswer, answer).tag === 'Error', `expected a refusal of ${JSON.stringify(redirect)}, got Ok`)
      }
    },
  },
  {
    id: 'mail/link-no-list',
    section: '§7 magiclink/send',
    rule: 'A request that is not in a list is refused',
    check: async run => {
      const body = { email: run.unknown.username, redirect: { tag: 'RedirectDashboard' } }
      refusedWith(await run.client.openBrowser().post(routes.magiclinkSend.path, body), 400, 422)
    },
  },
]
