import { directionOf } from '@gatehouse/language/text.ts'
import type { SsoProviderName } from '@gatehouse/wire'
import type {
  AccountProps,
  AdministrationProps,
  AreaProps,
  MailboxProps,
  MailLinkProps,
  MisconfigurationProps,
  NewPasswordProps,
  NoticeProps,
  OneTimeLinkProps,
  PageName,
  PageProps,
  PagesInLanguage,
  ProviderNotes,
  RecoveryCodesProps,
  Rendering,
} from '@gatehouse/wire/page-props'
import type { PageTexts } from '../../texts/page-texts.ts'
import type { Branding } from './branding.ts'
import type { PreparedPage } from './prepared-page.ts'

/** Props of a page without the base path, which is the same for all pages. */
type WithoutBase<Props> = Omit<Props, 'base'>

/**
 * Facts that the sign-in page shows: the host that the user requested, that the user must sign in again, and providers that did not
 * respond.
 */
export type SignInFacts = { destination?: string | undefined; again?: boolean; providerNotes?: ProviderNotes | undefined }

/** The parts of pages that are the same in all languages. */
type Built = {
  basePath: string
  name: string
  branding: Branding
  languages: Rendering['languages']
  /**
   * The single sign-on providers, in the order of the buttons. Undefined for the widget's
   * default.
   */
  providers: readonly SsoProviderName[] | undefined
  options: Pick<AreaProps, 'passkeys' | 'submitCodeWhenComplete'>
  /** Puts the styles into a page that loads no files, and returns the page with its policy. */
  inPlace: (html: string) => { html: string; policy: string }
  /** Compresses the sign-in page for the facts in `key`, or returns it from a cache. */
  prepared: (key: string, write: () => string) => PreparedPage
}

/**
 * Every page in one language.
 * @param language the tag, and what the portal renders in it
 * @param htmlOf a page's HTML file in this language, with the frame: everything but the content and the props
 */
export const createPagesInLanguage = (
  { tag, rendering }: { tag: string; rendering: PagesInLanguage },
  htmlOf: (page: PageName, isInPlace?: boolean) => string,
  { basePath, name, branding, languages, providers, options, inPlace, prepared }: Built,
) => {
  const { renderPage, dataOf, errorInTitle, newPasswordProblem, refusedPassword, wrongNumber } = rendering
  const fill = <Name extends PageName>(page: Name, props: PageProps[Name], isInPlace = false) =>
    htmlOf(page, isInPlace)
      .replace('<!--app-->', () => renderPage(page, props, branding.logo))
      .replace(/(id="gatehouse-props">)null/, (_, start: string) => start + dataOf(page, props))
  const headed = ({ destination, again, providerNotes }: SignInFacts) => ({
    base: basePath,
    providers,
    providerNotes,
    ...options,
    heading: { name, destination, again },
  })
  const titledIf = (wrong: boolean, html: string) => (wrong ? titled(html, errorInTitle) : html)
  const approve = fill('approve', undefined)
  return {
    newPasswordProblem,
    refusedPassword,
    wrongNumber,
    /** The sign-in page before the first attempt. With the same facts it is the same for all visitors, so the server renders it once. */
    signIn: (facts: SignInFacts) =>
      prepared(JSON.stringify([tag, facts.destination, facts.again, Object.entries(facts.providerNotes ?? {}).sort()]), () =>
        fill('index', { ...headed(facts), page: { at: 'login' } }),
      ),
    signInWithResult: (props: Pick<AreaProps, 'page' | 'said'>, facts: SignInFacts) =>
      titledIf(isWrong(props), fill('index', { ...headed(facts), ...props })),
    /** Every other page of the sign-in area. */
    area: (props: WithoutBase<AreaProps>) => titledIf(isWrong(props), fill('area', { base: basePath, ...options, ...props })),
    account: (props: WithoutBase<AccountProps>) => fill('account', { ...props, base: basePath }),
    administration: (props: WithoutBase<AdministrationProps>) => fill('administration', { ...props, base: basePath }),
    misconfiguration: (props: MisconfigurationProps) => fill('misconfiguration', props),
    /**
     * The misconfiguration page and the notice, as responses of a check. A proxy shows them under another address, from which they cannot
     * load files. So each contains its styles, and its policy allows no other file.
     */
    misconfigurationInPlace: (props: MisconfigurationProps) => inPlace(fill('misconfiguration', props, true)),
    noticeInPlace: (props: NoticeProps) => inPlace(fill('notice', props, true)),
    notice: (props: NoticeProps) => fill('notice', props),
    /** @param back the path of the page to return to after the choice */
    languages: (back: string) => fill('languages', { base: basePath, all: languages, current: tag, back }),
    oneTimeLink: (props: WithoutBase<OneTimeLinkProps>) =>
      fill('one-time-link', { base: basePath, submitCodeWhenComplete: options.submitCodeWhenComplete, ...props }),
    newPassword: (props: WithoutBase<NewPasswordProps>) =>
      titledIf(props.begin?.is === 'GoodWithError', fill('new-password', { base: basePath, ...props })),
    newFactor: (props: WithoutBase<PageProps['new-factor']>) => fill('new-factor', { base: basePath, ...props }),
    confirmEmail: (props: WithoutBase<MailLinkProps<void>>) => fill('confirm-email', { base: basePath, ...props }),
    approve: () => approve,
    approveManifest: (texts: PageTexts['approver']) => ({
      id: `${basePath}/approve`,
      name: texts.name(name),
      short_name: name,
      description: texts.description,
      lang: tag,
      dir: directionOf(tag),
      start_url: `${basePath}/approve`,
      scope: `${basePath}/approve`,
      display: 'standalone',
      // The page's background in the light theme; the page itself sets the dark one.
      background_color: '#f5f6f8',
      theme_color: '#f5f6f8',
      icons: branding.icons ?? iconsOf(approve),
    }),
    recoveryCodes: (props: RecoveryCodesProps) => fill('recovery-codes', props),
    mailbox: (props: WithoutBase<MailboxProps>) => fill('mailbox', { ...props, base: basePath }),
  }
}

const isWrong = ({ page, said }: WithoutBase<AreaProps>): boolean => {
  const answered = page.at === 'approve-on-phone' ? page.asked?.status.challengeStatus : undefined
  return answered === 'Denied' || answered === 'Expired' || (said !== undefined && (!('sent' in said) || said.wrongCode === true))
}

/** Screen readers announce the title of a page that has loaded, but no alert that the page contains from the start. */
const titled = (html: string, errorInTitle: (title: string) => string) => {
  const [, title = ''] = /<title>([^<]*)/.exec(html) ?? []
  return html
    .replace(/(?<=<title>)[^<]*/, () => errorInTitle(title))
    .replace('</head>', end => `  <meta name="gatehouse-title" content="${title}">\n  ${end}`)
}

/** The page's icons, for its web app manifest. The one for Apple's home screen fills its square, as maskable icons must. */
const iconsOf = (html: string) =>
  [...html.matchAll(/<link rel="(icon|apple-touch-icon)"[^>]* sizes="(\d+x\d+)"[^>]* href="([^"]+)"/g)].map(([, rel, sizes, src]) => ({
    src,
    sizes,
    type: 'image/png',
    purpose: rel === 'icon' ? 'any' : 'maskable',
  }))
