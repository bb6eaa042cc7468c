import type { AreaProps } from '@gatehouse/wire/page-props'
import { portalTexts } from '../messages/current.ts'

/** The heading above the sign-in form: what the user signs in to, and where the browser continues. */
export const headingOf = (heading: AreaProps['heading']) => heading && { title: portalTexts.signInTo(heading.name), text: lineOf(heading) }

const lineOf = ({ destination, again }: NonNullable<AreaProps['heading']>) =>
  destination && (again ? portalTexts.continueAgainTo(destination) : portalTexts.continueTo(destination))
