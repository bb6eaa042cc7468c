import type { PageFrame, RenderedFrame } from '@gatehouse/wire/page-props'
import { renderToStaticMarkup } from 'react-dom/server'
import { portalTexts } from '../messages/current.ts'
import styles from './frame.css?inline'
import noticeStyles from './frame-notice.css?inline'
import { LanguageSwitch } from './language-switch.tsx'

const words = () => portalTexts.frame

/**
 * The notice above the content, and the links and the languages below it. All are static: a page's script takes over what is between them,
 * and the sign-in page does not carry their code.
 */
export const renderFrame = ({ notice, links, languages }: PageFrame): RenderedFrame => {
  const shown = (['help', 'privacy', 'imprint'] as const).flatMap(kind => (links[kind] ? [{ kind, href: links[kind] }] : []))
  const hasFooter = shown.length > 0 || languages !== undefined
  return {
    notice: notice ? renderToStaticMarkup(<p className="gatehouse-frame-notice">{notice}</p>) : '',
    footer: hasFooter
      ? renderToStaticMarkup(
          <footer>
            {shown.map(({ kind, href }) => (
              <a key={kind} href={href}>
                {words()[kind]}
              </a>
            ))}
            {languages && <LanguageSwitch {...languages} />}
          </footer>,
        )
      : '',
    styles: (notice ? noticeStyles : '') + (hasFooter ? styles : ''),
  }
}
